// The referee by night: who acts, on whom, what is learned and who leaves.
import { isType, type GameEvent } from '../state/event.ts';
import { isRevealed, isSame, mostNamed, type Span } from './referee-span.ts';

/** `all` are the events of the whole match: what was done in earlier nights binds. */
export function checkNight(span: Span, all: readonly GameEvent[]) {
  const { events, must, round } = span;
  must(events[0]?.type === 'round_started', 'a round begins by saying so', events[0]);
  must(events.filter(isType('round_started')).length === 1, 'a round begins once', round);
  checkPack(span);
  checkDoctors(span, all);
  checkSeers(span, all);
  checkOutcome(span);
}

const holders = ({ setup, living }: Span, role: string) =>
  living.filter((name) => setup.players.some((player) => player.name === name && player.role === role));

function checkPack(span: Span) {
  const { events, must, setup, round } = span;
  const pack = holders(span, 'Werewolf');
  const picks = events.filter(isType('pick'));
  const proposals = events.filter(isType('proposal'));
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
  must(mostNamed(last.map(({ target }) => target)).includes(picks[0]!.target), 'the most named is picked', proposals);
}

function checkDoctors(span: Span, all: readonly GameEvent[]) {
  const { must, setup, round } = span;
  const protecting = (of: readonly GameEvent[]) => of.filter(isType('acted')).filter(({ verb }) => verb === 'protect');
  const acts = protecting(span.events);
  must(
    isSame(
      acts.map(({ by }) => by),
      holders(span, 'Doctor'),
    ),
    'every living Doctor protects somebody',
    round,
  );
  for (const act of acts) {
    const before = protecting(all).find(({ by, round: night }) => by === act.by && night === round - 1);
    must(setup.rules['protectSelf'] === true || act.target !== act.by, 'no Doctor protects himself', act);
    must(setup.rules['protectRepeat'] === true || act.target !== before?.target, 'no Doctor repeats himself', act);
  }
}

function checkSeers(span: Span, all: readonly GameEvent[]) {
  const { events, must, setup, living, round } = span;
  const learned = (of: readonly GameEvent[], seer: string) =>
    of.filter(isType('learned')).filter(({ by }) => by === seer);
  const checks = events.filter(isType('acted')).filter(({ verb }) => verb === 'unmask');
  const known = (seer: string) =>
    learned(all, seer)
      .filter((event) => event.round < round)
      .map(({ about }) => about);
  const left = (seer: string) => living.filter((name) => name !== seer && !known(seer).includes(name));
  const busy = holders(span, 'Seer').filter((seer) => left(seer).length > 0);
  must(
    isSame(
      checks.map(({ by }) => by),
      busy,
    ),
    'every living Seer checks somebody where somebody is left',
    round,
  );
  must(events.filter(isType('learned')).length === checks.length, 'a check tells something', round);
  for (const { by, target } of checks) {
    const { role, team } = setup.players.find(({ name }) => name === target)!;
    const [told] = learned(events, by);
    must(left(by).includes(target), 'nobody is checked twice', { by, target });
    must(told?.about === target, 'a check tells of its target', told);
    if (setup.rules['checkTells'] === 'role')
      must(told?.role === role && told.team === undefined, 'a check tells the role', told);
    else must(told?.team === team && told.role === undefined, 'a check tells the team alone', told);
  }
}

function checkOutcome({ events, must, round, setup }: Span) {
  const deaths = events.filter(isType('death'));
  const picked = events.find(isType('pick'))?.target;
  const isSaved = events.filter(isType('acted')).some(({ verb, target }) => verb === 'protect' && target === picked);
  const quiet = events.filter(isType('quiet_night')).length;
  must(
    isSame(
      deaths.map(({ player }) => player),
      isSaved ? [] : [picked!],
    ),
    'the picked leave unless protected',
    round,
  );
  must(quiet === (isSaved ? 1 : 0), 'a quiet night is announced', round);
  for (const death of deaths)
    must(death.cause === 'night' && isRevealed(death, setup), 'a death tells what the rules say', death);
}
