// A disk that is full for one file of a match: the match stops at once, asks nothing more, and can be gone on with.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { RecordError } from '../../models/record/record-error.ts';
import { legalAnswer, ScriptedModel } from '../scripted-model.ts';
import { boardOf, play } from '../table.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const plan = { board: boardOf(1, 1, 1, 3), rule: { debateTurns: 1, maxRounds: 1 }, seed: 4 };
const out = temporaryFolder();
const obedient = () => new ScriptedModel((question) => legalAnswer(question));

/** Where it is known, every write to it fails as on a full disk. */
const full = '/dev/full';

(existsSync(full) ? describe : describe.skip)('a disk that is full for the events', () => {
  /** The events of a resumed match are written beside the old ones first. */
  function eventsOnFullDisk(id: string) {
    const folder = path.join(out, id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'events.ndjson'), '');
    symlinkSync(full, path.join(folder, 'events.ndjson.new'));
    return folder;
  }

  it('stops the match before another call, with the name of the file', async () => {
    const folder = eventsOnFullDisk('at-once');
    const model = new ScriptedModel(() => 'Hm.');
    const match = play({ ...plan, out, id: 'at-once', model });
    await expect(match).rejects.toBeInstanceOf(RecordError);
    await expect(match).rejects.toThrow(/events\.ndjson\.new cannot be written: ENOSPC.* Make room or mend the disk/);
    expect(model.asked).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['answers.ndjson', 'events.ndjson', 'manifest.json']);
  });

  it('is mended by making room: the same match goes on to the same events', async () => {
    const whole = await play({ ...plan, out, id: 'whole', model: obedient() });
    const folder = eventsOnFullDisk('mended');
    await expect(play({ ...plan, out, id: 'mended', model: obedient() })).rejects.toThrow('ENOSPC');
    rmSync(path.join(folder, 'events.ndjson.new'), { force: true });
    const mended = await play({ ...plan, out, id: 'mended', model: obedient() });
    expect(mended.events).toEqual(whole.events);
    expect(readFileSync(path.join(folder, 'events.ndjson'))).toEqual(
      readFileSync(path.join(whole.folder!, 'events.ndjson')),
    );
  });
});
