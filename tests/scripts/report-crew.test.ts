// The threads of a report.
import { expect, it } from '@jest/globals';
import { engageCrew } from '../../scripts/report/crew.ts';
import type { MeasurerSettings } from '../../scripts/report/measurer.ts';

it('a thread that has failed says so to whoever asks it, each time, and ends nothing else', async () => {
  const unusable = { boards: null } as unknown as MeasurerSettings;
  const crew = engageCrew(unusable, 2); // the second fails while nobody waits for it
  const member = crew.members[0]!;
  const failure = await member.gathered().catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'TypeError' });
  await expect(member.gathered()).rejects.toBe(failure);
  await crew.dismiss();
});
