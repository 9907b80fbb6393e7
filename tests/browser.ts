// Opens a browser for tests of pages.
import { type Browser, chromium } from 'playwright-core';

/** Unpacks the browser into `/tmp`, where its settings look for fonts. Without fonts it crashes at the first page. */
async function unpackBrowser(): Promise<{ executablePath: string; args: string[] }> {
  const { TMPDIR: folder } = process.env;
  process.env['TMPDIR'] = '/tmp';
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    return { executablePath: await packed.executablePath(), args: packed.args };
  } finally {
    if (folder === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = folder;
  }
}

/**
 * Opens the browser that npm installs on Linux, otherwise an installed Chrome. Returns null, after printing the reason,
 * if there is none.
 */
export async function openBrowser(): Promise<Browser | null> {
  try {
    process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x'; // makes the package unpack the libraries that the browser needs
    const { executablePath, args } = await unpackBrowser();
    return await chromium.launch({ executablePath, args: args.filter((arg) => arg !== '--single-process') });
  } catch {
    return chromium.launch({ channel: 'chrome' }).catch((error: Error) => {
      process.stderr.write(`Skipped: no browser runs here. ${error.message.split('\n')[0]}\n`);
      return null;
    });
  }
}
