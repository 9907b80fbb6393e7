// Schemas of files that others read, so that every change of a field, a word or a limit is visible. If a change is
// wanted, `npm test -- tests/outputs --updateSnapshot` rewrites the expected files.
import { describe, it } from '@jest/globals';
import { z } from 'zod';
import { ExtractorErrors } from '../../deception/claims/extractor-errors.ts';
import { BankRecord } from '../../deception/bank/bank-record.ts';
import { bankSchemas } from '../../deception/bank/bank-rows.ts';
import { AnalysisPlan } from '../../deception/comparison/analysis-plan.ts';
import { Comparison } from '../../deception/comparison/comparison-schema.ts';
import { PoolEntry, PoolRecord } from '../../deception/experience/pool-entry.ts';
import { Leaderboard } from '../../deception/ratings/leaderboard-schema.ts';
import { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import { Report } from '../../deception/summary/report-schema.ts';
import { tableSchemas } from '../../deception/tables/match-tables.ts';
import { TournamentFile } from '../../deception/tournament-plan/tournament-plan.ts';
import { TournamentRecord } from '../../deception/tournament-plan/tournament-record.ts';
import { KeptAnswer } from '../../models/record/annotation-log.ts';
import { Board } from '../../state/boards.ts';
import { GameEvent } from '../../state/events.ts';
import { AnswerLine, Manifest, Seal } from '../../state/record.ts';
import { expectOutput } from '../expected-file.ts';

const schemas: Readonly<Record<string, z.ZodType>> = {
  ...{ Manifest, AnswerLine, GameEvent, Seal, Board, KeptAnswer, DeceptionSummary, Report, Comparison, Leaderboard },
  ...{ AnalysisPlan, ExtractorErrors, PoolEntry, PoolRecord, TournamentFile, TournamentRecord },
  ...Object.fromEntries(Object.entries(tableSchemas).map(([name, schema]) => [`table ${name}`, schema])),
  BankRecord,
  ...Object.fromEntries(Object.entries(bankSchemas).map(([name, schema]) => [`bank ${name}`, schema])),
};

interface Shape {
  const?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  additionalProperties?: Shape | boolean;
  description?: string;
  $schema?: string;
}

/** Lists one line per field, without descriptions, which are in the docs. */
function listFields(shape: Shape, place: string): string[] {
  const { properties = {}, required = [], items, anyOf, oneOf, additionalProperties: rest, ...own } = shape;
  const bounds = { ...own, description: undefined, $schema: undefined, ...(rest === false && { closed: true }) };
  return [
    `${place} ${JSON.stringify(bounds)}`,
    ...Object.entries(properties).flatMap(([name, field]) =>
      listFields(field, `${place}.${name}${required.includes(name) ? '' : '?'}`),
    ),
    ...(items ? listFields(items, `${place}[]`) : []),
    ...(typeof rest === 'object' ? listFields(rest, `${place}.*`) : []),
    ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap((option, at) =>
      listFields(option, `${place}|${option.properties?.['type']?.const ?? at}`),
    ),
  ];
}

describe('the schema', () => {
  it('of every file is the expected one', () => {
    const lines = Object.entries(schemas).flatMap(([name, schema]) =>
      listFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape, name),
    );
    expectOutput('schemas', lines.join('\n'));
  });
});
