/** Who waits for an answer of the reducer, by the name that goes into the event and comes back in the effect. */
export interface Waiting<A> {
  /** The name of a new request. */
  readonly add: (reply: (answer: A) => void) => string;
  /** Gives the answer; a second one for the same request goes nowhere. */
  readonly answer: (request: string, answer: A) => void;
}

export const createWaiting = <A>(): Waiting<A> => {
  const replies = new Map<string, (answer: A) => void>();
  let added = 0;
  return {
    add: (reply) => {
      added += 1;
      const request = `request-${added}`;
      replies.set(request, reply);
      return request;
    },
    answer: (request, answer) => {
      const reply = replies.get(request);
      replies.delete(request);
      reply?.(answer);
    },
  };
};
