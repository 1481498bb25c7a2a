import { expect, it } from '@jest/globals';
import { type ClientDocumentFault, clientDocumentFault } from './client-document-fault.ts';

const faultOf = (clientId: string, issuer = 'https://as.example', isSupported = true) =>
  clientDocumentFault(clientId, { issuer, isSupported });

it.each<[string, string | undefined]>([
  ['https://hub.example/oauth/clients/con_a.json', undefined],
  ['https://hub.example:8443/hub/oauth/clients/con_a.json', undefined],
  ['http://hub.example/oauth/clients/con_a.json', 'no_client_id'],
  ['http://10.0.0.1/oauth/clients/con_a.json', 'no_client_id'],
  ['https://hub.example/a/../oauth/clients/con_a.json', 'no_client_id'],
  ['https://hub.example/%2e%2e/oauth/clients/con_a.json', 'no_client_id'],
  ['https://hub.example:443/oauth/clients/con_a.json', 'no_client_id'],
  ['https://HUB.example/oauth/clients/con_a.json', 'no_client_id'],
])('for the client_id %s reports: %s', (clientId, fault) => {
  expect(faultOf(clientId)).toBe(fault);
});

it('requires an authorization server that supports documents', () => {
  expect(faultOf('https://hub.example/oauth/clients/con_a.json', 'https://as.example', false)).toBe(
    'not_supported',
  );
});

it.each<[string, string, ClientDocumentFault | undefined]>([
  ['http://localhost:4001', 'http://localhost:5001', undefined],
  ['http://127.0.0.1:4001', 'http://localhost:5001', undefined],
  ['http://[::1]:4001', 'https://as.localhost', undefined],
  ['https://localhost:4001', 'http://127.0.0.1:5001', undefined],
  ['http://localhost:4001', 'https://as.example', 'not_public'],
  ['https://localhost:4001', 'https://as.example', 'not_public'],
  // The authorization server's 127.0.0.1 is another machine.
  ['http://127.0.0.1:4001', 'http://10.0.0.7:5001', 'not_public'],
])(
  'for a development hub at %s and an authorization server at %s reports: %s',
  (publicUrl, issuer, fault) => {
    expect(faultOf(`${publicUrl}/oauth/clients/con_a.json`, issuer)).toBe(fault);
  },
);
