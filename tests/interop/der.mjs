// The key files of RFC 9881, written here a second time and independently of Postern's own encoder.

const oids = { 'ml-dsa-44': 17, 'ml-dsa-65': 18, 'ml-dsa-87': 19 };

function tlv(tag, ...parts) {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

// 2.16.840.1.101.3.4.3.(17|18|19), no parameters.
const algorithm = (scheme) => tlv(0x30, tlv(0x06, Buffer.from([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, oids[scheme]])));

function pem(label, der) {
  const lines = der.toString('base64').match(/.{1,64}/g);
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

export const derSpki = (scheme, publicKey) => tlv(0x30, algorithm(scheme), tlv(0x03, Buffer.from([0]), Buffer.from(publicKey)));

export const spki = (scheme, publicKey) => pem('PUBLIC KEY', derSpki(scheme, publicKey));

// form: 'seed', 'expanded' or 'both'
export function derPkcs8(scheme, form, seed, expanded) {
  const key =
    form === 'seed'
      ? tlv(0x80, Buffer.from(seed))
      : form === 'expanded'
        ? tlv(0x04, Buffer.from(expanded))
        : tlv(0x30, tlv(0x04, Buffer.from(seed)), tlv(0x04, Buffer.from(expanded)));
  return tlv(0x30, tlv(0x02, Buffer.from([0])), algorithm(scheme), tlv(0x04, key));
}

export const pkcs8 = (...args) => pem('PRIVATE KEY', derPkcs8(...args));
