# Input: a trial's merged config. Output: shell commands, all words quoted: set -- ARGUMENT..., for sangam's
# benchmark, and left_out FIELD for each field that its command line has no flag for.
# $table is benchmark_fields.tsv; $qps and $output_dir are the trial's. Fields at their defaults are left
# out; a value that sangam's command line cannot say is an error.

def number: if . == "true" then true elif . == "false" then false elif . == "null" then null
    else tonumber? // . end;

# The default as the config would hold it: text stays text.
def default: if .type | startswith("string") then (if .default == "null" then null else .default end)
    else .default | number end;

def cannot($value; $why): "sangam: \(.field): \($value | tojson) cannot be given to sangam: \($why)" | halt_error(1);

# A field of the table with its value in the config to its words, [] where nothing is to be said.
def words($value):
    if $value == null then cannot($value; "there is no argument for none; expected a value")
    elif .type | startswith("bool") then
        if $value then [.flag]
        elif .note | test("has a --no- form") then [.flag | sub("^--"; "--no-")]
        else cannot($value; "\(.flag) has no --no- form") end
    else [.flag, ($value | tostring)] end;

. as $config
| [ $table | split("\n")[1:][] | select(. != "") | split("\t")
    | {field: .[0], type: .[1], default: .[2], flag: .[4], note: .[5]}
    | select(.field | in($config))
    | select(.field | IN("qps", "output_dir", "benchmark_timeout") | not)
    | select($config[.field] != default) ]
| (.[] | select(.flag == "-") | "left_out \(.field | @sh)"),
  ("set -- " + ([.[] | select(.flag != "-") | words($config[.field])[]]
    + ["--qps", $qps, "--output-dir", $output_dir, "--benchmark-timeout", ($config.benchmark_timeout // 0 | tostring)] | @sh))
