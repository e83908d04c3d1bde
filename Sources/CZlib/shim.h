#include <stdlib.h>
#include <zlib.h>

/* A decompressor of gzip; null where there is no memory. inflateInit2 is a macro, and the stream must
   not move, both of which Swift cannot do. */
static inline z_stream *czlib_open(void) {
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream && inflateInit2(stream, 16 + MAX_WBITS) != Z_OK) {
        free(stream);
        stream = 0;
    }
    return stream;
}

/* Decompresses from input to output; both counts become what was not used. Z_OK, Z_STREAM_END,
   Z_BUF_ERROR where nothing could be done, else an error. */
static inline int czlib_inflate(z_stream *stream, const unsigned char *input, unsigned *inputs,
                                unsigned char *output, unsigned *outputs) {
    stream->next_in = (unsigned char *)input;
    stream->avail_in = *inputs;
    stream->next_out = output;
    stream->avail_out = *outputs;
    int code = inflate(stream, Z_NO_FLUSH);
    *inputs = stream->avail_in;
    *outputs = stream->avail_out;
    stream->next_in = 0;
    stream->next_out = 0;
    return code;
}

/* Makes ready for the next member of a file; 0 where that fails. */
static inline int czlib_restart(z_stream *stream) { return inflateReset(stream) == Z_OK; }

static inline void czlib_close(z_stream *stream) {
    inflateEnd(stream);
    free(stream);
}

/* A decompressor of deflate data without a header, as archives hold them; null where there is no memory. */
static inline z_stream *czlib_open_raw(void) {
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream && inflateInit2(stream, -MAX_WBITS) != Z_OK) {
        free(stream);
        stream = 0;
    }
    return stream;
}
