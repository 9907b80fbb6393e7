// A span of time as one tells it without counting seconds.

const [minute, hour, day] = [60, 3600, 86_400];

/** E.g. "45 s", "12 min", "3 h 20 min", "2 days 4 h". */
export function roughTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 100 * minute) return `${Math.round(seconds / minute)} min`;
  const minutes = Math.round(seconds / minute);
  if (seconds < 2 * day) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(seconds / hour);
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}
