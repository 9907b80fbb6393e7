// Every provider keeps the same contract.
import { geminiSays, stubVertex } from '../vertex-stub.ts';
import { failure, openaiServer } from '../openai-server.ts';
import { conforms } from './provider-conformance.ts';

conforms('openai', async (answer) => {
  const { baseUrl, requests, close } = await openaiServer([
    answer === null ? { status: 401, body: failure('Incorrect API key.') } : { text: answer },
  ]);
  return {
    spec: `openai:some/model:free?baseUrl=${baseUrl}&seed=3`,
    env: { OPENAI_API_KEY: 'sk-a-key-that-must-not-be-seen' },
    numberOption: 'temperature',
    calls: () => requests.length,
    close,
  };
});

conforms('vertexai', (answer) => {
  const { requests, restore } = stubVertex(
    answer === null ? { status: 401, body: failure('Incorrect API key.') } : { body: geminiSays({ text: answer }) },
  );
  return {
    spec: 'vertexai:gemini-2.5-pro?seed=3',
    env: { GOOGLE_API_KEY: 'AIza-a-key-that-must-not-be-seen' },
    numberOption: 'temperature',
    calls: () => requests.length,
    close: restore,
  };
});

conforms('bot', () => ({ spec: 'bot:random', env: {}, numberOption: 'lie', calls: () => 0, close: () => undefined }));
