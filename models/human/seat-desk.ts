// The desk of one seat: asks the seat's player one question after another, and stores the newest View that the player
// may see.
import { createForm, emptyNotes, type Form } from '../../prompts/form.ts';
import type { View } from '../../state/view.ts';
import { getMachine } from '../machine/machine.ts';
import type { PersonAnswer, PersonQuestion } from './people.ts';

/** The question that a player is asked now. */
export interface OpenQuestion {
  /** Number of the question at this seat, from 1. */
  id: number;
  form: Form;
  /** The View from which the question was made. */
  view: View;
  seconds: number | null;
  /** Milliseconds left for the answer; null if there is no limit. */
  leftMs: number | null;
}

interface WaitingQuestion extends PersonQuestion {
  resolve: (answer: PersonAnswer | null) => void;
  reject: (reason: unknown) => void;
}

interface ShownQuestion extends WaitingQuestion {
  id: number;
  shownAt: number;
  cancelAlarm: () => void;
}

/**
 * Receives questions to one player, and shows one at a time. The player's page or terminal listens to `onChange`.
 *
 * @example
 * const desk = new SeatDesk(() => draw(desk.question));
 * desk.answer(desk.question!.id, { reasoning: '', bid: 3 }); // null, or why not
 */
export class SeatDesk {
  readonly #onChange: () => void;
  readonly #waiting: WaitingQuestion[] = [];
  #shown: ShownQuestion | null = null;
  #view: View | null = null;
  #asked = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The player's latest View; null before the match begins. */
  get view(): View | null {
    return this.#view;
  }

  get question(): OpenQuestion | null {
    if (!this.#shown) return null;
    const { id, prompt, seconds, shownAt } = this.#shown;
    const leftMs = seconds === null ? null : Math.max(0, seconds * 1000 - (getMachine().clock.elapsed() - shownAt));
    return { id, form: createForm(prompt), view: prompt.view, seconds, leftMs };
  }

  /** Shows the player a newer View of the match. */
  show(view: View): void {
    // The View of a question may contain proposals of a night that is not recorded yet.
    if (this.#view !== null && view.events.length < this.#view.events.length) return;
    this.#view = view;
    this.#onChange();
  }

  /** Returns the player's answer, or null if the time is over. Rejects with the signal's reason. */
  ask(question: PersonQuestion): Promise<PersonAnswer | null> {
    question.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiting = { ...question, resolve, reject };
      question.signal.addEventListener('abort', () => this.#withdraw(waiting), { once: true });
      this.#waiting.push(waiting);
      this.#showNext();
    });
  }

  /**
   * Receives the answer to a question. Returns the reason why it cannot be used; null if it can. `id`: number of the
   * question that was shown.
   */
  answer(id: number, given: unknown): string | null {
    const shown = this.#shown;
    if (shown?.id !== id) return 'This question is no longer open.';
    const read = shown.prompt.answer.safeParse(completeAnswer(given));
    if (!read.success) return 'Please answer every part of the question.';
    const shownMs = getMachine().clock.elapsed() - shown.shownAt;
    this.#finish({ answer: read.data as Readonly<Record<string, unknown>>, shownMs });
    return null;
  }

  #withdraw(question: WaitingQuestion): void {
    const place = this.#waiting.indexOf(question);
    if (place >= 0) this.#waiting.splice(place, 1);
    else if (this.#shown?.reject === question.reject) {
      this.#shown.cancelAlarm();
      this.#shown = null;
      this.#showNext();
    } else return;
    question.reject(question.signal.reason);
  }

  #finish(answer: PersonAnswer | null): void {
    const shown = this.#shown;
    if (!shown) return;
    shown.cancelAlarm();
    this.#shown = null;
    shown.resolve(answer);
    this.#showNext();
  }

  #showNext(): void {
    const next = this.#shown ? undefined : this.#waiting.shift();
    if (next) {
      const { clock } = getMachine();
      const cancelAlarm =
        next.seconds === null ? () => undefined : clock.alarm(next.seconds * 1000, () => this.#finish(null));
      this.#asked += 1;
      this.#shown = { ...next, id: this.#asked, shownAt: clock.elapsed(), cancelAlarm };
      const { view } = next.prompt;
      // If both Views have the same events, the question's View is newer: it may already be in the day's phase.
      if (this.#view === null || view.events.length >= this.#view.events.length) this.#view = view;
    }
    this.#onChange();
  }
}

/** Adds fields that the form does not ask for: private reasoning, and texts for empty notes. */
function completeAnswer(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { summary } = given as { summary?: unknown };
  const notes = typeof summary === 'string' && summary.trim() === '' ? { summary: emptyNotes } : {};
  return { ...given, reasoning: '', ...notes };
}
