// Asks one person on this terminal. Shows what the owner of the seat may know, and nothing else.
import { createInterface, type Interface } from 'node:readline/promises';
import type { People, PersonAnswer, PersonQuestion, PersonSeat } from '../../models/human/people.ts';
import { type OpenQuestion, SeatDesk } from '../../models/human/seat-desk.ts';
import type { FormField } from '../../prompts/form.ts';
import { sanitizeLines, sanitizeText } from '../../report/format.ts';
import { describeSeat, listTalk, type TalkEntry } from '../../report/seat/seat-text.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { View } from '../../state/view.ts';
import type { CommandIO } from '../command/command-line.ts';

/** Factor between a probability and the percentage that people type. */
const percent = 100;

export class TerminalTable implements People {
  readonly #stdin: NonNullable<CommandIO['stdin']>;
  readonly #stdout: CommandIO['stdout'];
  #desk = new SeatDesk(() => this.#askNext());
  #reader: Interface | null = null;
  #told = 0;
  #asking: { id: number; stop: AbortController } | null = null;

  constructor(stdin: NonNullable<CommandIO['stdin']>, stdout: CommandIO['stdout']) {
    [this.#stdin, this.#stdout] = [stdin, stdout];
  }

  open(seats: readonly PersonSeat[]): void {
    if (seats.length > 1)
      throw new UsageError(
        `${seats.map(({ player }) => player).join(' and ')} are played by people, but this terminal can serve only one person: each would see the secrets of the others. Add --serve, which gives each person a page.`,
      );
    if (this.#reader) return;
    this.#desk = new SeatDesk(() => this.#askNext()); // drops the view of an earlier match
    [this.#told, this.#asking] = [0, null];
    // `terminal: false` leaves the editing of the line to the terminal. The reader has no output, so it writes nothing:
    // only this program's text is shown, whose control characters are escaped.
    const reader = createInterface({ input: this.#stdin, terminal: false });
    // Stops the match if the input ends, because nobody could answer. The match can be resumed.
    reader.on('close', () => this.#reader && process.kill(process.pid, 'SIGINT'));
    this.#reader = reader;
  }

  show(view: View): void {
    const isFirst = this.#desk.view === null;
    this.#desk.show(view);
    if (isFirst) this.#introduce(view);
    this.#tellNews();
  }

  ask(question: PersonQuestion): Promise<PersonAnswer | null> {
    return this.#desk.ask(question);
  }

  close(roles: Readonly<Record<string, string>> | null): void {
    this.#asking?.stop.abort();
    const reader = this.#reader;
    this.#reader = null;
    reader?.close();
    if (roles !== null)
      this.#print(
        `Roles: ${Object.entries(roles)
          .map(([name, role]) => `${name} ${role}`)
          .join(', ')}.`,
      );
  }

  #print(text: string): void {
    this.#stdout.write(`${sanitizeLines(text)}\n`);
  }

  #introduce(view: View): void {
    const { rules, me, role, allegiance, persona } = describeSeat(view, { question: null, roles: null });
    const character = persona === null ? '' : ` Your character: ${persona}`;
    this.#print(`${rules}\n\nYou are ${me}, ${role}, ${allegiance}.${character}`);
  }

  #tellNews(): void {
    const { view } = this.#desk;
    if (!view) return;
    const talk = listTalk(view);
    for (const entry of talk.slice(this.#told)) this.#print(formatTalk(entry, view.me));
    this.#told = talk.length;
  }

  #askNext(): void {
    const { question } = this.#desk;
    if (question?.id === this.#asking?.id) return;
    this.#asking?.stop.abort();
    this.#asking = null;
    if (!question || !this.#reader) return;
    const stop = new AbortController();
    this.#asking = { id: question.id, stop };
    this.#tellNews();
    void this.#askQuestion(question, this.#reader, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
      this.#print('\nThis question is closed.');
    });
  }

  async #askQuestion({ id, form, seconds }: OpenQuestion, reader: Interface, signal: AbortSignal): Promise<void> {
    const limit = seconds === null ? '' : ` (${seconds} s)`;
    this.#print(`\n${form.task.join('\n')}${limit}`);
    for (let refusal: string | null = ''; refusal !== null;) {
      if (refusal !== '') this.#print(refusal);
      const answer = await this.#askFields(form.fields, reader, signal);
      refusal = this.#desk.answer(id, answer);
    }
  }

  async #askFields(fields: readonly FormField[], reader: Interface, signal: AbortSignal) {
    const answer: Record<string, unknown> = {};
    for (const field of fields) answer[field.name] = await this.#askField(field, reader, signal);
    return answer;
  }

  async #askField(field: FormField, reader: Interface, signal: AbortSignal): Promise<unknown> {
    if (field.kind === 'each') {
      const each: Record<string, unknown> = {};
      this.#print(field.label);
      for (const { player, fields } of field.entries) {
        const [only, ...others] = fields;
        const isAlone = only?.name === 'value' && others.length === 0;
        if (!isAlone) this.#print(`${player}:`);
        each[player] = isAlone
          ? await this.#askField(only, reader, signal)
          : await this.#askFields(fields, reader, signal);
      }
      return each;
    }
    for (;;) {
      this.#stdout.write(`${sanitizeText(describeField(field))} `);
      const typed = await reader.question('', { signal });
      const read = readTyped(typed.trim(), field);
      if (read !== undefined) return read;
      this.#print('That is not one of the choices.');
    }
  }
}

const formatTalk = ({ by, note, text }: TalkEntry, me: string) => {
  if (by === null) return text;
  const who = by === me ? `${by} (you)` : by;
  return `${who}${note === null ? '' : `, ${note}`}: ${text}`;
};

type SingleField = Exclude<FormField, { kind: 'each' }>;

/** Describes a field and what may be typed for it. */
function describeField(field: SingleField): string {
  if (field.kind === 'scale') return `${field.label} (${field.from} to ${field.to}): `;
  if (field.kind === 'share') return `${field.label} (0 to ${percent} percent): `;
  if (field.kind === 'text')
    return `${field.label}${field.maxWords === null ? '' : ` (at most ${field.maxWords} words)`}: `;
  const options = field.options.map(({ label }, index) => `${index + 1} ${label}`).join(', ');
  return field.kind === 'several'
    ? `${field.label} (${options}; several with commas, or nothing): `
    : `${field.label} (${options}): `;
}

/** Reads what was typed for a field; undefined if it is not a legal value. */
function readTyped(typed: string, field: SingleField): unknown {
  if (field.kind === 'text') return typed !== '' || field.isOptional ? typed : undefined;
  if (field.kind === 'scale') {
    const number = Number(typed);
    return typed !== '' && Number.isInteger(number) && number >= field.from && number <= field.to ? number : undefined;
  }
  if (field.kind === 'share') {
    const share = Number(typed.replace(/\s*%$/, '')) / percent;
    return typed !== '' && share >= 0 && share <= 1 ? share : undefined;
  }
  if (field.kind === 'choice') return findOption(typed, field.options)?.value;
  if (typed === '') return [];
  const chosen = typed.split(',').map((word) => findOption(word.trim(), field.options)?.value);
  return chosen.includes(undefined) ? undefined : chosen;
}

/** Finds an option by its number or its label. */
const findOption = <Value>(typed: string, options: readonly { value: Value; label: string }[]) =>
  options[Number(typed) - 1] ?? options.find(({ label }) => label.toLowerCase() === typed.toLowerCase());
