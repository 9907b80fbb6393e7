// Jest's environment for Node, but cheaper. Its global object is a plain one: Jest's own is a proxy that V8 asks at every
// mention of `Math`, `Map` or `JSON`, and whatever reckons takes a quarter longer there. And each module is compiled once
// a worker, not once a suite; V8 itself caches nothing (`--no-compilation-cache` in package.json), since that keeps the
// modules of every suite in memory: 11 MB and more each.
import vm from 'node:vm';
import { ModuleMocker } from 'jest-mock';
import { installCommonGlobals } from 'jest-util';

/** Those of Jest's own realm, as libraries expect that were handed bytes by Node. */
const shared = { Buffer, ArrayBuffer, Uint8Array };

/** What Node makes only when first asked for it, by its own global object. */
const borrow = (name) => ({
  configurable: true,
  get() {
    return (this[name] = globalThis[name]);
  },
  set(value) {
    Object.defineProperty(this, name, { value, configurable: true, writable: true });
  },
});

export default class PlainEnvironment {
  context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  global = this.context;
  moduleMocker = new ModuleMocker(this.global);

  constructor({ projectConfig }) {
    const { global } = this;
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(globalThis)))
      if (!Object.hasOwn(global, name))
        Object.defineProperty(global, name, 'value' in descriptor ? descriptor : borrow(name));
    Object.assign(global, shared, { global });
    installCommonGlobals(global, projectConfig.globals);
    global.Error.stackTraceLimit = 100; // as in Jest's own
  }

  async setup() {}

  async teardown() {
    this.context = null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return this.context;
  }
}

const compiled = new Map();
const { SourceTextModule } = vm;

vm.SourceTextModule = class extends SourceTextModule {
  constructor(code, options) {
    const cachedData = compiled.get(code);
    super(code, { ...options, ...(cachedData && { cachedData }) });
    if (cachedData === undefined) compiled.set(code, this.createCachedData());
  }
};
