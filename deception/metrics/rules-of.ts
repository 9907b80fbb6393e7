// The rules of a match as metrics ask for them, read from its row.
import { z } from 'zod';
import type { MatchRow } from '../tables/rows.ts';

const Asked = z.object({
  exile: z.enum(['majority', 'plurality']).default('majority'),
  sheriffWeight: z.number().default(1),
  debateOrder: z.enum(['bidding', 'round-robin']).default('bidding'),
});

/** What is not said stands at its default. */
export const rulesOf = ({ rules }: MatchRow) => Asked.parse(JSON.parse(rules));
