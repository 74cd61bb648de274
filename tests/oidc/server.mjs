// A real OpenID provider for the tests of sign-in: `oidc-provider` with its development pages, and a control surface
// under /_control by which a test rotates the keys, falsifies tokens, takes the provider down or counts requests.
//
// Environment: CLIENT_ID, CLIENT_SECRET, REDIRECT_URIS (separated by spaces). It listens on a free port of loopback,
// prints one line `{ "issuer": … }` when it is ready, and ends when its standard input closes.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';

import { SignJWT, UnsecuredJWT, decodeJwt, exportJWK, exportSPKI, generateKeyPair } from 'jose';

// The development pages print a notice, which would come before the line that the test waits for.
console.info = console.warn = () => {};
const { Provider } = await import('oidc-provider');

// Endpoints that are counted and can be taken down, by path; the pages for people always answer.
const ENDPOINTS = {
  '/.well-known/openid-configuration': 'discovery',
  '/jwks': 'jwks',
  '/token': 'token',
  '/me': 'userinfo',
};

const counts = Object.fromEntries(Object.values(ENDPOINTS).map((name) => [name, 0]));
// The fault of the next tokens; null for none.
let fault = null;
// How the endpoints answer: up, failing (503) or hanging (never).
let health = 'up';
let key;
let handle;

// The claims of a login. Words before the address, each followed by a colon, change what the provider says.
function claimsOf(login) {
  const words = login.split(':');
  const address = words.pop();
  const claims = {
    sub: login,
    email: address,
    email_verified: true,
    name: `${address.split('@')[0]} of the tests`,
    picture: `https://pictures.test/${encodeURIComponent(address)}.png`,
  };
  for (const word of words) {
    if (word === 'unverified') claims.email_verified = false;
    else if (word === 'unstated') delete claims.email_verified;
    else if (word === 'upper') claims.email = address.toUpperCase();
    else if (word === 'mailless') delete claims.email;
    else if (word === 'invisible') claims.email = address.replace('@', '\u200b@');
    else if (word === 'malformed') claims.email = 'no address at all';
    else if (word === 'nameless') delete claims.name;
    else if (word === 'odd') claims.name = 'Ada <b onclick="x()">"O\'Neill"</b> & Łukasz 李小龍 עדה';
    else if (word === 'control') claims.name = `A\u0000d\na\u001b[31m ${'x'.repeat(5000)}`;
    else if (word === 'script') claims.picture = 'javascript:alert(1)';
    else throw new Error(`unknown word in a login: ${word}`);
  }
  return claims;
}

async function makeKey() {
  const pair = await generateKeyPair('RS256', { extractable: true });
  return { ...pair, kid: randomUUID() };
}

// A new key, and a provider that knows no other. What people have begun is kept in memory beside it.
async function turnKeys(issuer) {
  key = await makeKey();
  const jwk = { ...(await exportJWK(key.privateKey)), kid: key.kid, use: 'sig', alg: 'RS256' };
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: process.env.CLIENT_ID,
        client_secret: process.env.CLIENT_SECRET,
        redirect_uris: process.env.REDIRECT_URIS.split(' '),
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    cookies: { keys: ['a key of the tests alone'] },
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    // As the large providers do it: the identity token itself says who it is.
    conformIdTokenClaims: false,
    findAccount: (_, sub) => ({ accountId: sub, claims: () => claimsOf(sub) }),
    ttl: { AccessToken: 3600, AuthorizationCode: 600, Grant: 3600, IdToken: 3600, Interaction: 3600, Session: 3600 },
  });
  provider.use(async (context, next) => {
    await next();
    if (fault !== null && context.body?.id_token !== undefined) {
      context.body.id_token = await spoil(context.body.id_token);
    }
  });
  handle = provider.callback();
}

// The same token with one thing wrong, and signed as it should be wherever the signature is not the thing.
async function spoil(token) {
  const claims = decodeJwt(token);
  let signing = key;
  switch (fault) {
    case 'nonce':
      claims.nonce = randomUUID();
      break;
    case 'no_nonce':
      delete claims.nonce;
      break;
    case 'expired':
      claims.iat -= 86400;
      claims.exp = claims.iat + 3600;
      break;
    case 'audience':
      claims.aud = 'another-client';
      break;
    case 'issuer':
      claims.iss = 'https://another.test';
      break;
    case 'foreign_key':
      signing = { ...(await makeKey()), kid: key.kid };
      break;
    case 'unknown_key':
      signing = await makeKey();
      break;
    case 'none':
      return new UnsecuredJWT(claims).encode();
    case 'public_key_as_secret':
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: key.kid }).sign(Buffer.from(await exportSPKI(key.publicKey)));
    case 'garbage':
      return 'not.a.token';
    default:
      throw new Error(`unknown fault: ${fault}`);
  }
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: signing.kid, typ: 'JWT' }).sign(signing.privateKey);
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}

async function control(issuer, path, request) {
  const body = await bodyOf(request);
  switch (`${request.method} ${path}`) {
    case 'POST /_control/keys':
      await turnKeys(issuer);
      return { kid: key.kid };
    case 'POST /_control/tokens':
      fault = body.fault ?? null;
      return { fault };
    case 'POST /_control/health':
      health = body.health;
      return { health };
    case 'GET /_control/counts':
      return counts;
    default:
      throw new Error(`unknown command: ${request.method} ${path}`);
  }
}

async function answer(issuer, request, response) {
  const path = new URL(request.url, issuer).pathname;
  if (path.startsWith('/_control/')) {
    const result = await control(issuer, path, request);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
    return;
  }
  const name = ENDPOINTS[path];
  if (name !== undefined) counts[name] += 1;
  if (name === undefined || health === 'up') {
    handle(request, response);
  } else if (health === 'failing') {
    response.writeHead(503, { 'content-type': 'text/plain' }).end('not now');
  }
}

const server = createServer((request, response) => {
  answer(`http://127.0.0.1:${server.address().port}`, request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end(String(error));
  });
});
server.listen(0, '127.0.0.1', async () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  await turnKeys(issuer);
  console.log(JSON.stringify({ issuer }));
});
process.stdin.on('end', () => process.exit(0)).resume();
