// A thread of a report: answers each message by calling a measurer.
import { parentPort, workerData } from 'node:worker_threads';
import { Measurer, type MeasurerSettings } from './measurer.ts';

/** The name of a method and its arguments. */
export type Call = {
  [Name in keyof Measurer]: [name: Name, ...Parameters<Measurer[Name]>];
}[keyof Measurer];

const measurer = new Measurer(workerData as MeasurerSettings);

function answer(call: Call): unknown {
  switch (call[0]) {
    case 'measure':
      return measurer.measure(call[1]);
    case 'gathered':
      return measurer.gathered();
    case 'figures':
      return measurer.figures(call[1], call[2]);
    case 'playByChance':
      return measurer.playByChance(call[1], call[2]);
  }
}

parentPort?.on('message', (call: Call) => {
  void Promise.resolve(answer(call)).then((result) => parentPort?.postMessage(result)); // what fails ends the thread
});
