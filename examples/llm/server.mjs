// A language model on one processor behind an API like OpenAI's: node server.mjs PORT MODEL
//
// GET /health says whether it is ready; POST /v1/chat/completions streams as many tokens as max_tokens says. SEQUENCES
// requests are worked on at a time, token by token in one batch, the others wait in their order. It looks for
// node-llama-cpp beside MODEL.
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const SEQUENCES = 4, CONTEXT = 1024; // tokens of prompt and answer
const [port, file] = [Number(process.argv[2]), path.resolve(process.argv[3])];
const found = path.join(path.dirname(file), 'node_modules/node-llama-cpp/dist/index.js');
const { getLlama } = await import(pathToFileURL(found).href);

const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1, progressLogs: false });
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({ contextSize: CONTEXT, sequences: SEQUENCES, threads: 1 });
const idle = Array.from({ length: SEQUENCES }, () => context.getSequence());
const waiting = [];

// Resolves to a sequence of the context that nobody else has.
const take = () => idle.length > 0 ? Promise.resolve(idle.pop()) : new Promise(resolve => waiting.push(resolve));
const give = sequence => waiting.length > 0 ? waiting.shift()(sequence) : idle.push(sequence);

async function complete({ messages, max_tokens: most = 16, stream_options: options }, response) {
	const prompt = model.tokenize(messages.map(m => m.content).join('\n')), sequence = await take();
	const send = body => response.write('data: ' + JSON.stringify({ object: 'chat.completion.chunk', model: 'noise', ...body }) + '\n\n');
	let count = 0;

	try {
		response.writeHead(200, { 'Content-Type': 'text/event-stream' });
		await sequence.clearHistory();
		for await (const token of sequence.evaluate(prompt, { temperature: 1, seed: prompt.length })) {
			send({ choices: [{ index: 0, delta: { content: model.detokenize([token]) || ' ' }, finish_reason: null }] });
			if (++count >= most || response.destroyed)
				break;
		}
	} finally {
		give(sequence);
	}
	send({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] });
	if (options?.include_usage)
		send({ choices: [], usage: { prompt_tokens: prompt.length, completion_tokens: count, total_tokens: prompt.length + count } });
	response.end('data: [DONE]\n\n');
}

function handle(request, response) {
	let body = '';

	if (request.url === '/health' || request.method !== 'POST')
		return response.writeHead(request.url === '/health' ? 200 : 404).end();
	request.on('data', bytes => body += bytes);
	request.on('end', async () => {
		try {
			await complete(JSON.parse(body), response);
		} catch (error) {
			console.error('server:', error.message);
			if (!response.headersSent)
				response.writeHead(400);
			response.end();
		}
	});
}

const server = http.createServer(handle);
server.keepAliveTimeout = 60000;
server.listen(port, '127.0.0.1', () => console.log(`server: ready on port ${port}, ${model.filename ?? file}`));
