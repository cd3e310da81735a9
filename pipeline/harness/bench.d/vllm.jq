# The plan of a trial with `vllm bench serve`. In: trial_config.json; --arg qps RATE, results DIR, python PROGRAM.

include "plan";

base_url("http://127.0.0.1:8000") as $url
| (.dataset_name // "random") as $dataset
| server($url),
  ("\($results)/result.json" | part("result")),
  ((command(["vllm", "bench", "serve"]),
	option("backend"; "--backend"), "--base-url", $url, option("endpoint"; "--endpoint"),
	option("model"; "--model"), option("tokenizer"; "--tokenizer"),
	"--dataset-name", $dataset, option("dataset_path"; "--dataset-path"),
	(if $dataset != "random" then empty
		else "--random-input-len", .prefill_tokens // 512, "--random-output-len", .decode_tokens // 128 end),
	"--num-prompts", requests($qps), "--request-rate", $qps,
	(if .interval_type == "gamma" then (.cv // 0.5) as $cv | "--burstiness", 1 / ($cv * $cv) else empty end),
	"--seed", .seed // 42, option("num_warmup_requests"; "--num-warmups"),
	words("extra_args"),
	"--save-result", "--save-detailed", "--result-dir", $results, "--result-filename", "result.json")
	| part("command"))
