// Routers without a run of their own: a trace holds the nodes of a match and the calls made in them, nothing else.
import { Runnable } from '@langchain/core/runnables';

/**
 * A function as a runnable that LangGraph calls as it is. Given the function itself, LangGraph leaves nodes untraced
 * but makes a run of every router, which tells nothing that the next node does not.
 */
export class Direct<Input, Output> extends Runnable<Input, Output> {
  override lc_namespace = ['wolfgraph', 'graph'];
  override name: string;
  private readonly call: (input: Input) => Output;

  constructor(name: string, call: (input: Input) => Output) {
    super();
    this.name = name;
    this.call = call;
  }

  override invoke(input: Input): Promise<Output> {
    return Promise.resolve(this.call(input));
  }
}
