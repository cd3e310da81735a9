// A service with a known service time, for tests: one request at a time, first come, first served.
//
// node service.js NAME=VALUE...
//   port=N or socket=PATH   where it listens
//   service_ms=N            how long a request takes (0). A timer, so that the processor is idle, and each is set for the
//                           time at which the request should be done, so that late timers do not add up
//   requests=FILE           a line a request: method, URL, headers and body, as JSON
//   unready=N               the first N times that /health is asked it answers 503
//   die_after=N             it ends with status 9 when it has answered N requests
// POST to a URL that ends in /completions is answered with a stream of OpenAI-style chunks, max_tokens of them.
'use strict';
const fs = require('fs');
const http = require('http');

const given = Object.fromEntries(process.argv.slice(2).map(word => [word.split('=')[0], word.slice(word.indexOf('=') + 1)]));
const serviceMs = Number(given.service_ms || 0);
let unready = Number(given.unready || 0), answered = 0, free = 0;

function stream(request, body, response) {
	const isChat = request.url.endsWith('/chat/completions'), count = JSON.parse(body).max_tokens;
	const chunk = (text, more) => response.write('data: ' + JSON.stringify(Object.assign({
		choices: [Object.assign(isChat ? { delta: { content: text } } : { text })] }, more)) + '\n\n');
	let sent = 0;

	response.writeHead(200, { 'Content-Type': 'text/event-stream' });
	const timer = setInterval(() => {
		chunk('word ');
		if (++sent < count)
			return;
		clearInterval(timer);
		response.write('data: ' + JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: count } }) + '\n\n');
		response.end('data: [DONE]\n\n');
	}, 5);
}

function answer(request, body, response) {
	if (request.method === 'POST' && request.url.endsWith('/completions'))
		stream(request, body, response);
	else
		response.end('done\n');
	if (++answered === Number(given.die_after)) {
		console.error('service: out of memory');
		process.exit(9);
	}
}

const server = http.createServer((request, response) => {
	const now = performance.now();
	let body = '';

	if (request.url === '/health') {
		response.writeHead(unready-- > 0 ? 503 : 200).end();
		return;
	}
	free = Math.max(free, now) + serviceMs;
	const done = free;
	request.on('data', bytes => body += bytes);
	request.on('end', () => {
		if (given.requests)
			fs.appendFileSync(given.requests, JSON.stringify({ method: request.method, url: request.url,
				headers: request.headers, body }) + '\n');
		if (serviceMs > 0)
			setTimeout(() => answer(request, body, response), done - performance.now());
		else
			answer(request, body, response);
	});
});
server.keepAliveTimeout = 60000;
server.listen(given.socket || { port: Number(given.port), host: '127.0.0.1' }, () => console.log('service: ready'));
