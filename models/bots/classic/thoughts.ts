// Thoughts: the private reasoning that comes with an answer, a short sentence with the actual reason.
import type { Draw } from '../../../state/draw.ts';
import type { Power } from '../../../state/role.ts';
import type { Urge } from './bidding.ts';
import { withArticle } from './lexicon.ts';
import type { Scene } from './scene.ts';
import type { Sincerity } from './sincerity.ts';
import { actName, type Act } from './speech-act.ts';

const percent = (p: number) => `${Math.round(100 * p)} %`;

const urges: Record<Urge['because'], readonly string[]> = {
  reveal: [
    'I have something that the village must hear now.',
    'It is time to show what I am.',
    'What I know should not wait any longer.',
  ],
  accused: [
    '{T} spoke against me and I have to answer.',
    'I cannot leave what {T} said about me unanswered.',
    '{T} has put me on the spot.',
  ],
  asked: ['{T} asked me something.', '{T} waits for my answer.', 'I was spoken to by {T}.'],
  mentioned: ['{T} brought up my name.', 'I was mentioned and would like to add something.'],
  confirm: ['I want to stand behind what {T} told us.', 'What {T} found should decide the day, and I can say so.'],
  suspect: [
    'I want to make the case against {T}.',
    '{T} is the one to talk about, I think.',
    'My suspicion of {T} should be heard.',
  ],
  partner: ['{T} is in trouble and I may have to step in.', 'They are closing in on {T}.'],
  listen: [
    'I have little to add at the moment.',
    'I would rather hear what others say.',
    'Nothing presses me to speak.',
    'Let the others go first.',
  ],
};

const pick = (bank: readonly string[], name: string | undefined, draw: Draw) =>
  draw.pick(bank).replaceAll('{T}', name ?? 'somebody');

export const ofBid = ({ because, about }: Urge, draw: Draw) => pick(urges[because], about, draw);

/** Why a vote goes to `target`. */
export function ofVote(scene: Scene, target: string, draw: Draw): string {
  const company = scene.accusersOf(target).filter((name) => name !== scene.me).length;
  if (scene.isMate(target))
    return pick(
      ['{T} is lost, so I had better be seen voting with the village.', 'I cannot save {T} any more.'],
      target,
      draw,
    );
  if (scene.isPack)
    return company > 0
      ? pick(
          [
            '{T} is under suspicion already, which suits us.',
            'The others are ready to exile {T}; I only have to join.',
          ],
          target,
          draw,
        )
      : pick(
          ['{T} is of the village and an easy name.', 'Somebody of the village has to go, and {T} will do.'],
          target,
          draw,
        );
  if (scene.knowledge.get(target)?.team === 'werewolves')
    return pick(['I know what {T} is.', 'There is no doubt about {T} for me.'], target, draw);
  const belief = `I take {T} for a ${scene.lexicon.pack.name} with ${percent(scene.mine.of(target))}`;
  return company > 1
    ? pick(
        [
          `${belief}, and ${company} others see it the same way.`,
          `${belief}; with ${company} others ${scene.view.rules.exile === 'majority' ? 'we may reach a majority' : 'ours may be the most votes'}.`,
        ],
        target,
        draw,
      )
    : pick([`${belief}.`, `${belief}, more than anybody else.`], target, draw);
}

const meanings: Record<Act['kind'], string> = {
  accuse: 'put pressure on {T}',
  defend: 'speak for {T}',
  ask: 'make {T} talk',
  follow: 'go with the others on {T}',
  claim: 'say that I am {T}',
  report: 'tell of a check of {T}',
  deny: 'clear my name',
  deflect: 'not be drawn into defending myself',
};

/** Whom or what an act concerns. */
function objectOf(act: Act, { lexicon }: Scene) {
  if ('target' in act) return act.target;
  const role = act.kind === 'claim' ? lexicon.roles.find(({ name }) => name === act.role) : undefined;
  return role ? withArticle(role) : '';
}

/** What a statement is meant to do, besides the `purpose` of its occasion. */
export function ofStatement(
  scene: Scene,
  acts: readonly Act[],
  { deceptive, falsehood }: Sincerity,
  draw: Draw,
  purpose?: string,
): string {
  const done = acts.map((act) => meanings[act.kind].replace('{T}', objectOf(act, scene)));
  const aims = [...new Set(purpose === undefined ? done : [purpose, ...done])];
  const aim = aims.length > 0 ? aims.slice(0, 2).join(' and ') : 'keep the talk going without naming anybody';
  if (falsehood)
    return draw.pick([`I will ${aim}, although I know better.`, `It is not true, but it helps us if I ${aim}.`]);
  if (deceptive)
    return draw.pick([`I will ${aim} and keep to myself what I am.`, `I want to ${aim} so that nobody looks at me.`]);
  return draw.pick(
    scene.isPack
      ? [`I will ${aim}; there is no need to lie here.`, `Better to ${aim} and stay out of trouble.`]
      : [`I want to ${aim}.`, `I think it helps us if I ${aim}.`],
  );
}

/** Why a power is used on `target`. */
export function ofNight(scene: Scene, aim: Power['aim'], target: string, draw: Draw): string {
  const claimed = scene.claims.find(({ by }) => by === target)?.role;
  if (target === scene.me) return draw.pick(['I may well be a target myself.', 'Tonight I look after myself.']);
  if (aim === 'learn' && scene.mine.of(target) > 0.8) return pick(['I want to be certain about {T}.'], target, draw);
  if (aim === 'learn')
    return pick(
      [`I am least sure about {T}: ${percent(scene.mine.of(target))}.`, 'Knowing what {T} is would help most.'],
      target,
      draw,
    );
  if (aim === 'shield')
    return claimed === undefined
      ? pick(['{T} seems to be one of us and worth keeping.', 'The village would miss {T}.'], target, draw)
      : pick([`{T} claims to be the ${claimed} and will be attacked.`], target, draw);
  return claimed === undefined
    ? pick(
        [
          '{T} is trusted by the others and unlikely to be exiled.',
          '{T} could become dangerous to us.',
          'Nobody suspects {T}, so the village will not do it for us.',
        ],
        target,
        draw,
      )
    : pick([`{T} claims to be the ${claimed}, which makes {T} the most dangerous.`], target, draw);
}

/** What a pack player tells the others about a proposal; every one of them knows what the pack is. */
export function toPack(scene: Scene, target: string, draw: Draw): string {
  const seconded = scene.view.events.some(
    (event) =>
      event.type === 'proposal' && event.round === scene.view.round && event.target === target && event.by !== scene.me,
  );
  if (seconded) return pick(['Let us agree on {T}.', 'I join you on {T}.'], target, draw);
  return ofNight(scene, 'harm', target, draw);
}

/** What a judgement of somebody else's words rests on. */
export function ofJudgement(scene: Scene, by: string, acts: readonly Act[], suspicion: number, draw: Draw): string {
  const what = acts.map((act) => actName(act)).join(', ');
  const done = what === '' ? `${by} commits to nothing` : `${by}: ${what}`;
  const p = scene.mine.of(by);
  const view = scene.knowledge.has(by)
    ? 'I know which side that is from'
    : `I take ${by} for a ${scene.lexicon.pack.name} with ${percent(p)}`;
  return suspicion > 0.5
    ? draw.pick([`${done}. ${view}, and it does not ring true.`, `${done}. ${view}; I do not buy it.`])
    : draw.pick([`${done}. ${view}; nothing in it has to be a lie.`, `${done}. ${view}, and it may well be meant.`]);
}

export const ofSelf = ({ deceptive, falsehood, type }: Sincerity, draw: Draw) =>
  falsehood
    ? draw.pick([`I said what I know to be untrue: ${type}.`, `That was a lie on purpose, a ${type}.`])
    : deceptive
      ? draw.pick([
          'I said nothing false but kept back what I am.',
          'It was true as far as it went, and meant to mislead.',
        ])
      : draw.pick(['I said what I think.', 'There was nothing untrue in it.', 'I meant what I said.']);
