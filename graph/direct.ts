// How LangGraph calls nodes and routers: as they are.
import { Runnable, type RunnableConfig } from '@langchain/core/runnables';

type Call<Input, Output> = (input: Input, config: RunnableConfig) => Output | Promise<Output>;

/**
 * A function for LangGraph to call. Given the function itself, LangChain makes a run of it within the node's own, with
 * a configuration and a trace: a tenth of the processor time of a match.
 */
export class Direct<Input, Output> extends Runnable<Input, Output> {
  override lc_namespace = ['wolfgraph', 'graph'];
  override name: string;
  private readonly call: Call<Input, Output>;

  constructor(name: string, call: Call<Input, Output>) {
    super();
    this.name = name;
    this.call = call;
  }

  override async invoke(input: Input, config: RunnableConfig = {}): Promise<Output> {
    return this.call(input, config);
  }
}
