import { createSocket } from 'node:dgram';
import { decode, encode, type Packet, type StringAnswer, type TxtAnswer } from 'dns-packet';

export type TestAnswer =
  | { readonly answers: readonly (TxtAnswer | StringAnswer)[] }
  | { readonly rcode: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' }
  | 'silence';

export interface TestDnsServer {
  /** `address:port` */
  readonly address: string;
  /** The names that were queried */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

/** A name server on 127.0.0.1, so that tests include the real resolver. */
export async function startDnsServer(answer: (name: string) => TestAnswer): Promise<TestDnsServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, peer) => {
    const query = decode(message);
    const name = query.questions?.[0]?.name ?? '';
    questions.push(name);
    const given = answer(name);
    if (given !== 'silence') socket.send(encode(toPacket(query, given)), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  socket.unref(); // does not keep a process alive if a suite fails before it closes the server
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

const RCODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

function toPacket({ id, questions = [] }: Packet, answer: Exclude<TestAnswer, 'silence'>): Packet {
  // The library has the response code in the lower four bits of `flags`.
  const flags = 'rcode' in answer ? RCODES[answer.rcode] : 0;
  return {
    type: 'response',
    ...(id !== undefined && { id }),
    flags,
    questions,
    answers: 'answers' in answer ? [...answer.answers] : [],
  };
}
