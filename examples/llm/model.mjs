// Writes a language model with random weights: node model.mjs FILE
//
// What it says is noise, but it takes the time that a model of its size takes. The file is GGUF version 3: a head, then
// what is known of the model (key, type, value), then the tensors (name, sizes, type, place), then their numbers, each
// tensor at a multiple of 32 bytes. All little-endian; a text is its length in 8 bytes and its bytes.
import fs from 'node:fs';

const EMBEDDING = 256, LAYERS = 2, HEADS = 4, FORWARD = 704, CONTEXT = 4096, ALIGNMENT = 32;
const U32 = 4, F32 = 6, BOOL = 7, STRING = 8, ARRAY = 9, I32 = 5; // types of values
const NORMAL = 1, UNKNOWN = 2, CONTROL = 3, BYTE = 6;            // kinds of tokens
const WORDS = 'the of and to in is that for it as was with be by on not he his but at are this have from or had an they ' +
	'which one you were';

// The same numbers in every file: a multiplicative generator, as numbers around 0.
let state = 42;
const random = () => (state = state * 48271 % 2147483647) / 2147483647 - 0.5;

// Control tokens, one for each byte, and each word with all its beginnings, since tokenizers join pieces two by two.
function vocabulary() {
	const tokens = [['<unk>', UNKNOWN], ['<s>', CONTROL], ['</s>', CONTROL]];
	const pieces = new Set('▁abcdefghijklmnopqrstuvwxyz');

	for (let byte = 0; byte < 256; byte++)
		tokens.push([`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, BYTE]);
	for (const word of WORDS.split(' '))
		for (let end = 1; end <= word.length; end++)
			pieces.add('▁' + word.slice(0, end));
	return tokens.concat([...pieces].map(piece => [piece, NORMAL]));
}

const u32 = n => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
const u64 = n => { const b = Buffer.alloc(8); b.writeBigUInt64LE(BigInt(n)); return b; };
const f32 = n => { const b = Buffer.alloc(4); b.writeFloatLE(n); return b; };
const text = s => Buffer.concat([u64(Buffer.byteLength(s)), Buffer.from(s)]);
const encode = { [U32]: u32, [I32]: u32, [F32]: f32, [BOOL]: b => Buffer.from([b ? 1 : 0]), [STRING]: text };
const value = (key, type, v) => Buffer.concat([text(key), u32(type), encode[type](v)]);
const list = (key, type, vs) => Buffer.concat([text(key), u32(ARRAY), u32(type), u64(vs.length), ...vs.map(encode[type])]);

// The tensors: name, sizes, and the number at a place. Norms are 1; the output's rows of tokens that are no text are 0.
function tensors(tokens) {
	const matrix = (name, columns, rows, scale = 1 / Math.sqrt(columns)) =>
		[name + '.weight', [columns, rows], () => 3.46 * scale * random()];
	const norm = name => [name + '.weight', [EMBEDDING], () => 1];
	const output = matrix('output', EMBEDDING, tokens.length), all = [matrix('token_embd', EMBEDDING, tokens.length, 1),
		norm('output_norm'), [output[0], output[1], i => tokens[Math.floor(i / EMBEDDING)][1] === NORMAL ? output[2]() : 0]];

	for (let layer = 0; layer < LAYERS; layer++) {
		const blk = `blk.${layer}.`;

		all.push(norm(blk + 'attn_norm'), norm(blk + 'ffn_norm'));
		for (const name of ['attn_q', 'attn_k', 'attn_v', 'attn_output'])
			all.push(matrix(blk + name, EMBEDDING, EMBEDDING));
		all.push(matrix(blk + 'ffn_gate', EMBEDDING, FORWARD), matrix(blk + 'ffn_up', EMBEDDING, FORWARD),
			matrix(blk + 'ffn_down', FORWARD, EMBEDDING));
	}
	return all;
}

const tokens = vocabulary();
const known = [
	value('general.architecture', STRING, 'llama'), value('general.name', STRING, 'noise'),
	value('general.alignment', U32, ALIGNMENT), value('llama.context_length', U32, CONTEXT),
	value('llama.embedding_length', U32, EMBEDDING), value('llama.block_count', U32, LAYERS),
	value('llama.feed_forward_length', U32, FORWARD), value('llama.attention.head_count', U32, HEADS),
	value('llama.attention.head_count_kv', U32, HEADS), value('llama.rope.dimension_count', U32, EMBEDDING / HEADS),
	value('llama.attention.layer_norm_rms_epsilon', F32, 1e-5), value('tokenizer.ggml.model', STRING, 'llama'),
	list('tokenizer.ggml.tokens', STRING, tokens.map(t => t[0])),
	list('tokenizer.ggml.scores', F32, tokens.map(t => t[1] === NORMAL ? t[0].length : 0)),
	list('tokenizer.ggml.token_type', I32, tokens.map(t => t[1])),
	value('tokenizer.ggml.unknown_token_id', U32, 0), value('tokenizer.ggml.bos_token_id', U32, 1),
	value('tokenizer.ggml.eos_token_id', U32, 2), value('tokenizer.ggml.add_bos_token', BOOL, true),
];
const aligned = size => Math.ceil(size / ALIGNMENT) * ALIGNMENT;
const places = [], numbers = [];
let place = 0;
for (const [name, sizes, at] of tensors(tokens)) {
	const data = Float32Array.from({ length: sizes.reduce((a, b) => a * b) }, (_, i) => at(i));

	places.push(text(name), u32(sizes.length), ...sizes.map(u64), u32(0), u64(place)); // 0: 32-bit numbers
	numbers.push(Buffer.from(data.buffer), Buffer.alloc(aligned(data.byteLength) - data.byteLength));
	place += aligned(data.byteLength);
}
const head = Buffer.concat([Buffer.from('GGUF'), u32(3), u64(numbers.length / 2), u64(known.length),
	...known, ...places]);
fs.writeFileSync(process.argv[2], Buffer.concat([head, Buffer.alloc(aligned(head.length) - head.length), ...numbers]));
