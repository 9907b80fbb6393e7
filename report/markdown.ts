// Tables and harmless text for a Markdown page.
import { markdownTable } from 'markdown-table';
import { sanitizeText } from './format.ts';

/** Inline Markdown that shows `text` as it is: no markup, table cell, HTML, formula or link can come of it. */
export const escapeMarkdown = (text: string) =>
  sanitizeText(text)
    .replace(/[\\`*_[\]|~#!$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('://', ':\\/\\/')
    .replace(/(?<=\S)@(?=\S)/g, '@<!-- -->') // GitHub looks for addresses after escapes are undone
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`);

/** A table whose first `texts` columns are text and the others numbers. Its cells must be Markdown already. */
export const renderTable = (head: readonly string[], rows: readonly (readonly string[])[], texts = 1) =>
  markdownTable([[...head], ...rows.map((row) => [...row])], { align: head.map((_, at) => (at < texts ? 'l' : 'r')) });
