// Imports LangChain's chat models whose packages are optional.
import path from 'node:path';
import { UsageError } from '../../state/usage-error.ts';
import type { ModelSpec } from '../model.ts';

/**
 * Returns the command that installs a package where this program will find it. The command depends on how the program
 * itself is installed.
 */
export function describeCure(installed: string, folder = import.meta.dirname): string {
  const isIn = (name: string) => folder.split(path.sep).includes(name);
  if (isIn('_npx'))
    return `npx runs Wolfgraph in a folder of its own. Install the package there too: npx -p wolfgraph -p ${installed} wolfgraph …`;
  const isInstalled = isIn('node_modules');
  const isGlobal =
    isInstalled &&
    !folder.startsWith(`${process.cwd()}${path.sep}`) &&
    /[\\/](?:lib|npm)[\\/]node_modules[\\/]/.test(folder);
  return `Install it with: npm install ${isGlobal ? '--global ' : ''}${installed}`;
}

/**
 * Imports the class of a provider's chat model, by its name in LangChain's register. `installed`: the package with the
 * tested version. If it is missing, throws a UsageError with the command that installs it.
 *
 * @example const ChatAnthropic = await importChatClass<typeof import('@langchain/anthropic').ChatAnthropic>(spec, …);
 */
export async function importChatClass<Class>({ provider, model }: ModelSpec, installed: string): Promise<Class> {
  const { getChatModelByClassName, MODEL_PROVIDER_CONFIG } = await import('langchain/chat_models/universal');
  const { className } = MODEL_PROVIDER_CONFIG[provider as keyof typeof MODEL_PROVIDER_CONFIG];
  try {
    return (await getChatModelByClassName(className, provider)) as Class;
  } catch (error) {
    const name = installed.replace(/@[^@/]*$/, '');
    const { message } = error as Error;
    if (!/^(?:Unable to import|Cannot find)/.test(message) || !message.includes(name)) throw error;
    throw new UsageError(
      `${provider}:${model} needs the package ${name}, which is not installed. ${describeCure(installed)}`,
    );
  }
}
