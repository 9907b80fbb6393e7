// Parses HTML like a browser, for tests that search in a page.
import { parseHTML } from 'linkedom';

/** The part of a page's element that tests use. The project is built without browsers' types. */
export interface Element {
  textContent: string;
  querySelectorAll(selector: string): Iterable<Element>;
  querySelector(selector: string): Element | null;
  getAttribute(name: string): string | null;
}

export const parse = (html: string) => (parseHTML(html) as unknown as { document: Element }).document;
