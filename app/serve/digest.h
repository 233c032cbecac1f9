/* SHA-1 (for the handshake of WebSockets, which asks for nothing better) and base64. */
#ifndef SERVE_DIGEST_H
#define SERVE_DIGEST_H

#include <stddef.h>

enum { SHA1_BYTES = 20 };

/* FIPS 180-4; at most 2^32 bytes. */
void sha1(const void *bytes, size_t count, unsigned char out[SHA1_BYTES]);

/* RFC 4648 with padding: 4 (count + 2) / 3 characters at most, without a zero.  Returns their number.  Pieces
   of which each but the last has a multiple of three bytes make one text. */
size_t base64(const unsigned char *bytes, size_t count, char *out);

#endif
