# The plan of a trial with guidellm. In: trial_config.json; --arg qps RATE, results DIR, python PROGRAM, has_run yes or "".
#
# Since 0.7 the tool is `guidellm run`, whose options take objects with a kind; before it was `guidellm benchmark`. A
# tool_command says by its last words which of them it is; without one has_run does.

include "plan";

def is_run: [words("tool_command")] as $tool
	| if $tool == [] then $has_run == "yes" else $tool[-1] == "run" and $tool[-2] != "benchmark" end;

def profile: if .interval_type == "static" then "constant" else "poisson" end;

def tokens: {prompt_tokens: (.prefill_tokens // 512), output_tokens: (.decode_tokens // 128)};

def kind($flag; $kind; $members): $flag, ({kind: $kind} + $members | tojson);

def run($url):
	command(["guidellm", "run"]),
	kind("--backend"; "openai_http"; {target: $url} + if .model then {model} else {} end),
	(if .tokenizer then kind("--tokenizer"; "huggingface_auto"; {model: .tokenizer}) else empty end),
	(if .data then "--data", .data else kind("--data"; "synthetic_text"; tokens) end),
	kind("--profile"; profile; {rate: ($qps | tonumber)}),
	kind("--constraint"; "max_requests"; {count: requests($qps)}),
	kind("--seed"; "static"; {seed: (.seed // 42)}),
	kind("--metrics"; "generative"; {sample_size: requests($qps)}), # all of them in the file
	"--disable-console-interactive",
	words("extra_args"),
	kind("--output"; "json"; {path: "\($results)/result.json"});

def benchmark($url):
	command(["guidellm", "benchmark"]),
	"--target", $url, option("model"; "--model"), option("tokenizer"; "--processor"),
	"--data", .data // (tokens | "prompt_tokens=\(.prompt_tokens),output_tokens=\(.output_tokens)"),
	"--rate-type", profile, "--rate", $qps,
	"--max-requests", requests($qps), "--random-seed", .seed // 42, "--disable-progress",
	words("extra_args"),
	"--output-path", "\($results)/result.json";

base_url("http://127.0.0.1:8000") as $url
| server($url),
  ("\($results)/result.json" | part("result")),
  (if is_run then run($url) else benchmark($url) end | part("command"))
