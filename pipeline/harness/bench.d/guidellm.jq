# The plan of a trial with `guidellm benchmark`. In: trial_config.json; --arg qps RATE, results DIR, python PROGRAM.

include "plan";

base_url("http://127.0.0.1:8000") as $url
| server($url),
  ("\($results)/result.json" | part("result")),
  ((command(["guidellm", "benchmark"]),
	"--target", $url, option("model"; "--model"), option("tokenizer"; "--processor"),
	"--data", .data // "prompt_tokens=\(.prefill_tokens // 512),output_tokens=\(.decode_tokens // 128)",
	"--rate-type", (if .interval_type == "static" then "constant" else "poisson" end), "--rate", $qps,
	"--max-requests", requests($qps), "--random-seed", .seed // 42, "--disable-progress",
	words("extra_args"),
	"--output-path", "\($results)/result.json")
	| part("command"))
