// Plays the matches that a validation draws from: calibrated players in all seats, records kept in memory alone.
import { extractByRules } from '../../deception/claims/extract.ts';
import { tablesOf } from '../../deception/tables/tables-of.ts';
import type { Tables } from '../../deception/tables/rows.ts';
import { playMatch } from '../../graph/play-match.ts';
import { prepareMatch } from '../../graph/prepare.ts';
import { calibrated, type Label, type Planted } from '../../models/bots/calibrated.ts';
import { draw } from '../../state/draw.ts';
import type { AnswerLine, Manifest } from '../../state/record.ts';

/** Short matches with as many analyses as a long one has in a day. */
const plan = {
  board: 'classic-8',
  rules: 'wolf',
  rule: {
    debateOrder: 'round-robin',
    debatePasses: 1,
    analysis: 'both',
    analyzeBallots: false,
    ballots: 'secret',
    beliefs: 'off',
    scores: 'hidden',
    memory: 'full',
    pack: 'one',
    maxRounds: 2,
  },
} as const;

/** The tables of a match with this seed. The same deal under another `arm` is another match. */
export async function playCalibrated(planted: Planted, seed: number, arm: number): Promise<Tables> {
  const { manifest } = await prepareMatch({ ...plan, seed }, {}, 0);
  const model = calibrated(planted, draw(seed, 'arm', arm).integer(2 ** 30), labelIn(manifest));
  const answers: AnswerLine[] = [];
  const result = await playMatch({
    ...plan,
    seed,
    seats: Object.fromEntries(manifest.setup.players.map(({ name }) => [name, { model }])),
    out: null,
    onAnswer: (line) => void answers.push(line),
  });
  const setup = { ...manifest.setup, models: modelsIn(manifest), bots: Object.keys(modelsIn(manifest)) };
  return tablesOf({ manifest: { ...manifest, id: `${result.id}-${arm}`, setup }, events: result.events, answers });
}

const modelsIn = ({ setup }: Manifest) => Object.fromEntries(setup.players.map(({ name }) => [name, 'bot:calibrated']));

/** What the moderator tells: a claim about the own role is a lie where the speaker was dealt another. */
function labelIn({ setup }: Manifest): Label {
  const players = setup.players.map(({ name }) => name);
  const roles = new Map(setup.players.map(({ name, role }) => [name, role]));
  return (by, text) => {
    const claims = extractByRules({ id: '1.1', by, round: 1, text, kind: 'debate' }, { ...setup, players });
    const own = claims.filter(({ type }) => type === 'own_role');
    if (own.length === 0) return null;
    return own.some(({ role, polarity }) => (role === roles.get(by)) !== polarity);
  };
}
