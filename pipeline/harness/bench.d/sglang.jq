# The plan of a trial with sglang's bench_serving. In: trial_config.json; --arg qps RATE, results DIR, python PROGRAM.

include "plan";

base_url("http://127.0.0.1:30000") as $url
| (.dataset_name // "random") as $dataset
| server($url),
  ("\($results)/result.jsonl" | part("result")),
  ((command([$python, "-m", "sglang.bench_serving"]),
	option("backend"; "--backend"), "--base-url", $url,
	option("model"; "--model"), option("tokenizer"; "--tokenizer"),
	"--dataset-name", $dataset, option("dataset_path"; "--dataset-path"),
	(if $dataset | startswith("random") | not then empty
		else "--random-input-len", .prefill_tokens // 512, "--random-output-len", .decode_tokens // 128,
			"--random-range-ratio", 1 end),
	"--num-prompts", requests($qps), "--request-rate", $qps,
	"--seed", .seed // 42, option("num_warmup_requests"; "--warmup-requests"),
	words("extra_args"),
	"--output-file", "\($results)/result.jsonl", "--output-details")
	| part("command"))
