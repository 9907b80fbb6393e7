// Facts from the manifests of records. Each manifest is read once for a whole command.
import path from 'node:path';
import { createBaselineKey, hashBaselineKey } from '../../deception/baseline/chance-baseline.ts';
import type { BoardAndRules } from '../../deception/play/random-matches.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { readManifest } from '../../models/record/recorder.ts';
import { recordFiles } from '../../state/record.ts';
import { describeRules, nameMeasuringRules } from '../../state/rulebook.ts';
import { KnownRecords } from '../command/match-folder.ts';
import type { PricedManifest } from './known-prices.ts';
import { SharedValues } from './shared-values.ts';

/** Facts that an inventory needs from a match's manifest. */
export interface ManifestFacts {
  id: string;
  /** Name of the board. */
  board: string;
  /** Hash of the parts of board and rules that influence the chance baseline. */
  ground: string;
  /** Variant, and the rules that change how a match is measured. */
  design: string;
  /** Models of the match, without duplicates. */
  models: readonly string[];
  judge: string | undefined;
  /** Name of the tournament. */
  tournament: string | undefined;
  priced: PricedManifest;
}

/** The facts of a manifest, or the error that was met instead. */
type ReadManifest = { facts: ManifestFacts; error: null } | { facts: null; error: unknown };

/**
 * Like `KnownRecords`, and also what the manifests say. Only facts are kept, because thousands of whole manifests would
 * take hundreds of megabytes.
 *
 * @example
 * const known = new KnownManifests();
 * const folders = findMatches(['runs'], known);
 * takeInventory(folders, known).matches.length; // reads every manifest
 * findNamedJudges(folders, known).judge; // reads none
 */
export class KnownManifests extends KnownRecords {
  /** Hash → board and rules. */
  readonly grounds = new Map<string, BoardAndRules>();
  /** Hash → board and rules as the first match names them, for people. */
  readonly groundNames = new Map<string, string>();
  readonly #read = new Map<string, ReadManifest>();
  readonly #shared = new SharedValues();

  /** Reads a manifest, or remembers it. Throws nothing. */
  read(folder: string): ReadManifest {
    const read = this.#read.get(folder) ?? this.#readAnew(folder);
    this.#read.set(folder, read);
    return read;
  }

  #readAnew(folder: string): ReadManifest {
    try {
      getDisk().list(folder); // reports why it cannot be read
      const { id, setup, tournament, judge, made_by: madeBy } = readManifest(path.join(folder, recordFiles.manifest));
      const ground = hashBaselineKey(setup);
      if (!this.grounds.has(ground)) {
        this.grounds.set(ground, createBaselineKey(setup));
        this.groundNames.set(ground, `board ${setup.board.name}, ${describeRules(setup.rules, setup.board)}`);
      }
      const { prices, created_at: createdAt, addresses } = madeBy;
      const facts: ManifestFacts = {
        ...{ id, board: setup.board.name, ground, judge, tournament: tournament?.name },
        design: this.#shared.share(JSON.stringify([setup.variant, nameMeasuringRules(setup.rules)])),
        models: this.#shared.share([...new Set(Object.values(setup.models))]),
        priced: { made_by: { prices, created_at: createdAt, ...(addresses !== undefined && { addresses }) } },
      };
      return { facts, error: null };
    } catch (error) {
      return { facts: null, error };
    }
  }
}
