import { random } from './random.ts';
export const classic = () => random;
