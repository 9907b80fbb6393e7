// The referee by night: acts, targets, results and deaths.
import { isEventOfType, type EventOf, type GameEvent } from '../state/events.ts';
import { isSame, findMostNamed, getToldSide, type Span } from './referee-span.ts';

/** Checks a night. `all`: events of the whole match, because acts of earlier nights restrict the acts of this night. */
export function checkNight(span: Span, all: readonly GameEvent[]) {
  const { events, must, round } = span;
  must(events[0]?.type === 'round_started' || round === 1, 'a round begins by saying so', events[0]);
  must(events.filter(isEventOfType('round_started')).length === 1, 'a round begins once', round);
  must(isInOrder(events.map(getPlaceInNight)), 'everything in a night has its time', round);
  checkPack(span);
  checkShields(span, all);
  checkSeers(span, all);
  checkMediums(span, all);
  checkWitches(span, all);
  checkOutcome(span);
}

/** Place of an event within a night; undefined if it may happen at any time. */
function getPlaceInNight(event: GameEvent): number | undefined {
  if (event.type === 'passed' || event.type === 'acted')
    return { protect: 1, guard: 1, unmask: 1, save: 3, poison: 4, shoot: 7 }[event.verb];
  if (event.type === 'death') return event.cause === 'night' ? 6 : 7;
  const places: Partial<Record<GameEvent['type'], number>> = {
    round_started: 0,
    proposal: 1,
    pick: 1,
    attacked: 2,
    learned: 5,
    quiet_night: 6,
    last_act: 7,
    badge: 7,
    ended: 8,
  };
  return places[event.type];
}

export const isInOrder = (places: readonly (number | undefined)[]) => {
  const known = places.filter((place) => place !== undefined);
  return known.every((place, index) => index === 0 || known[index - 1]! <= place);
};

const listHolders = ({ setup, living }: Span, role: string) =>
  living.filter((name) => setup.players.some((player) => player.name === name && player.role === role));

type Use = EventOf<'acted'> | EventOf<'passed'>;
const listUses = (events: readonly GameEvent[], verb: string) =>
  events.filter((event): event is Use => (event.type === 'acted' || event.type === 'passed') && event.verb === verb);
const listActs = (events: readonly GameEvent[], verb: string) => listUses(events, verb).filter(isEventOfType('acted'));

/**
 * Checks the uses of a power: every player with a legal target acts on a legal target or, if allowed, passes, and
 * nobody else acts.
 */
function checkPower(span: Span, verb: string, role: string, mayPass: boolean, targets: (by: string) => string[]) {
  const { events, must, round } = span;
  const uses = listUses(events, verb);
  const busy = listHolders(span, role).filter((name) => targets(name).length > 0);
  must(
    isSame(
      uses.map(({ by }) => by),
      busy,
    ),
    `every living ${role} who can ${verb} is asked once`,
    { round, uses, busy },
  );
  for (const use of uses)
    if (use.type === 'acted') must(targets(use.by).includes(use.target), `a ${role} may ${verb} whom he does`, use);
    else must(mayPass, `nobody passes who must ${verb}`, use);
}

function checkPack(span: Span) {
  const { events, must, setup, round } = span;
  const pack = listHolders(span, 'Werewolf');
  const picks = events.filter(isEventOfType('pick'));
  const proposals = events.filter(isEventOfType('proposal'));
  const inBallot = (ballot: number) => proposals.filter((proposal) => proposal.ballot === ballot);
  must(picks.length === 1, 'the pack picks one player a night', round);
  for (const { target } of [...picks, ...proposals]) must(!pack.includes(target), 'the pack spares its own', target);
  if (setup.rules.pack === 'one' || pack.length === 1) {
    must(proposals.length === 0, 'where one decides, or is left, nobody proposes', round);
    return;
  }
  const isAgreed = new Set(inBallot(1).map(({ target }) => target)).size === 1;
  const last = inBallot(isAgreed ? 1 : 2);
  const by = (ballot: typeof proposals) => ballot.map((proposal) => proposal.by);
  must(isSame(by(inBallot(1)), pack), 'every Werewolf proposes', proposals);
  must(isSame(by(inBallot(2)), isAgreed ? [] : pack), 'the pack proposes again where it differs', proposals);
  must(findMostNamed(last).top.includes(picks[0]!.target), 'the most named is picked', proposals);
}

function checkShields(span: Span, all: readonly GameEvent[]) {
  const { rules } = span.setup;
  const shield = (verb: string, role: string, mayPass: boolean, self: string, repeat: string) =>
    checkPower(span, verb, role, mayPass, (by) => {
      const before = listActs(all, verb).find((act) => act.by === by && act.round === span.round - 1)?.target;
      return span.living.filter(
        (name) => (rules[self] === true || name !== by) && (rules[repeat] === true || name !== before),
      );
    });
  shield('protect', 'Doctor', false, 'protectSelf', 'protectRepeat');
  shield('guard', 'Guard', true, 'guardSelf', 'guardRepeat');
}

function checkSeers(span: Span, all: readonly GameEvent[]) {
  const { events, must, setup, living, round } = span;
  const learned = (of: readonly GameEvent[], seer: string) =>
    of.filter(isEventOfType('learned')).filter(({ by }) => by === seer);
  const known = (seer: string) =>
    learned(all, seer)
      .filter((event) => event.round < round)
      .map(({ about }) => about);
  const left = (seer: string) => living.filter((name) => name !== seer && !known(seer).includes(name));
  checkPower(span, 'unmask', 'Seer', false, left);
  const checks = listActs(events, 'unmask');
  const told = listHolders(span, 'Seer').flatMap((seer) => learned(events, seer));
  must(told.length === checks.length, 'a check tells something', round);
  for (const { by, target } of checks) {
    const seat = setup.players.find(({ name }) => name === target)!;
    const [role, team] = [seat.role, getToldSide(seat)];
    const [told] = learned(events, by);
    must(told?.about === target, 'a check tells of its target', told);
    if (setup.rules['checkTells'] === 'role')
      must(told?.role === role && told.team === undefined, 'a check tells the role', told);
    else must(told?.team === team && told.role === undefined, 'a check tells the team alone', told);
  }
}

function checkMediums(span: Span, all: readonly GameEvent[]) {
  const { events, must, setup, round } = span;
  const exiled = all
    .filter(isEventOfType('death'))
    .find((death) => death.cause === 'exile' && death.round === round - 1)?.player;
  const mediums = listHolders(span, 'Medium');
  const seers = listHolders(span, 'Seer');
  const told = events.filter(isEventOfType('learned')).filter(({ by }) => !seers.includes(by));
  const due = exiled === undefined ? [] : mediums;
  must(isSame(told.map(({ by }) => by), due), 'every living Medium is told after an exile, and nobody else', { told }); // prettier-ignore
  for (const event of told) {
    const seat = setup.players.find(({ name }) => name === exiled)!;
    const isRight = event.about === exiled && event.team === getToldSide(seat) && event.role === undefined;
    must(isRight, 'a Medium is told the side of the exiled player', event);
  }
}

function checkWitches(span: Span, all: readonly GameEvent[]) {
  const { events, must, living, round } = span;
  const { witchSelfSave: self, witchBothPotions: both } = span.setup.rules;
  const victim = events.find(isEventOfType('pick'))?.target;
  const isUsed = (verb: string, by: string) => listActs(all, verb).some((act) => act.by === by && act.round < round);
  const told = events.filter(isEventOfType('attacked'));
  must(
    isSame(
      told.flatMap(({ audience }) => audience),
      listHolders(span, 'Witch').filter((witch) => !isUsed('save', witch)),
    ),
    'every Witch who has the antidote is told the victim, and nobody else is',
    told,
  );
  must(
    told.every(({ player }) => player === victim),
    'the victim is the one whom the pack has picked',
    told,
  );
  checkPower(span, 'save', 'Witch', true, (witch) => {
    const maySelf = self === 'always' || (self === 'first-night' && round === 1);
    return isUsed('save', witch) || (victim === witch && !maySelf) ? [] : [victim!];
  });
  checkPower(span, 'poison', 'Witch', true, (witch) => {
    const hasSaved = listActs(events, 'save').some(({ by }) => by === witch);
    return isUsed('poison', witch) || (hasSaved && both !== true) ? [] : living.filter((name) => name !== witch);
  });
}

/**
 * Checks the outcome: poison always works; an attack works unless a shield or the antidote stops it. A shield and the
 * antidote may cancel each other.
 */
function checkOutcome({ events, must, round, setup, living }: Span) {
  const picked = events.find(isEventOfType('pick'))?.target;
  const isOn = (verb: string, name: string) => listActs(events, verb).some(({ target }) => target === name);
  const isLost = (name: string) => {
    if (isOn('poison', name)) return true;
    if (name !== picked || isOn('protect', name)) return false;
    const helps = Number(isOn('guard', name)) + Number(isOn('save', name));
    return helps === 0 || (helps === 2 && setup.rules['guardAndAntidote'] === 'dies');
  };
  const lost = living.filter(isLost);
  const gone = events.filter(isEventOfType('death')).filter(({ cause }) => cause === 'night');
  must(gone.map(({ player }) => player).join() === lost.join(), 'those leave whom nothing saved, in seat order', {
    round,
    gone,
    lost,
  });
  must(
    events.filter(isEventOfType('quiet_night')).length === (lost.length === 0 ? 1 : 0),
    'a quiet night is announced',
    round,
  );
}
