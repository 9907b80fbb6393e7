// Serves the graph to LangGraph Studio and other clients: `npm run studio`, a browser then opens the address it prints.

/** Of @langchain/langgraph-cli, which describes no types. */
const cli: string = import.meta.resolve('@langchain/langgraph-cli/dist/cli/cli.mjs');

process.env['LANGGRAPH_CLI_NO_ANALYTICS'] ??= '1'; // nobody else need know of it
process.argv.splice(2, 0, 'dev', '--no-browser');
await import(cli);
