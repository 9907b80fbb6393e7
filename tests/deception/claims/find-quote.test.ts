// Quotes: the text that a judge copied is found in the statement, and other text is not found.
import { describe, expect, it } from '@jest/globals';
import { findQuote } from '../../../deception/claims/find-quote.ts';
import { quote as showInPrompt } from '../../../prompts/text.ts';

describe('words that a judge copies', () => {
  it.each([
    ['I will vote Kai', 'I will vote **Kai** today.'],
    ['Kai is a Werewolf', '**Kai** is a *Werewolf*.'],
    ['Kai voted for Casey', '_Kai_ voted for __Casey__ yesterday.'],
    ['I checked Taylor - not a Werewolf', 'I checked Taylor – not a Werewolf.'],
    ["I'm the Seer", 'Well… I’m the Seer.'],
    ['Well... I am the Seer', 'Well… I am the Seer.'],
    ['“Kai” (Doctor)', 'I lean on "Kai" (Doctor).'],
    ["Losing 'Alex'", 'Losing "Alex" (Seer) hurts.'],
    ['I am the [ SEER]', 'I am the [SEER].'],
    ['I am the < b>Seer< /b>', 'I am the <b>Seer</b>.'],
    ['I am the Seer', 'I am the <b>Seer</b>.'],
    ['Kai | Werewolf', '| Player | Role |\n|---|---|\n| Kai | Werewolf |'],
    ['That is all. ⏎ - Taylor voted', 'That is all.\n- Taylor voted for Kai.'],
    ['Kai 是狼人', '我是预言家，Kai 是狼人。'],
    ['ΣΟΦΟΣ', 'ο σοφος'],
    ['José is a wolf', 'Jose\u0301 is a wolf.'],
  ])('%s: are found in %j', (words, text) => {
    expect(findQuote(words, text)).not.toBeNull();
  });

  it.each(['I am the [SEER]. Kai: <wolf> "sure"', 'A **bold** `word` — and … “more”', 'x\n\n> y z'])(
    'are found as the prompt shows them: %j',
    (text) => expect(findQuote(showInPrompt(text), text)).not.toBeNull(),
  );

  it.each([
    ['e', 'I am the Seer.'],
    ['', 'I am the Seer.'],
    ['**', '**Kai** is it.'],
    ['…', 'Well… Kai.'],
    ['Seer I am', 'I am the Seer.'],
    ['I am not the Seer', 'I am the Seer.'],
    ['am the See', 'I am the Seer.'],
  ])('%j is not found in %j', (words, text) => expect(findQuote(words, text)).toBeNull());

  it('keep the signs around them that were copied', () => {
    expect(findQuote('"Alex" (Seer)', 'Losing "Alex" (Seer) hurts.')?.text).toBe('"Alex" (Seer)');
    expect(findQuote('I am the [ SEER]', 'I am the [SEER].')?.text).toBe('I am the [SEER]');
  });
});
