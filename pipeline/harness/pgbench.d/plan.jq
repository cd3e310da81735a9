# What a trial with pgbench is going to do.
#
# In:  trial_config.json; --arg qps RATE, --arg home DIR, --arg port PORT
# Out: lines "PART WORD". Parts with one line: planned (transactions), threads, bindir, setup, conf, default (a line for
#      postgresql.conf), start_timeout (s), host. Parts with several: file (what must be readable), and the words of the commands initdb, server, init,
#      warmup, measure; no init or warmup where there is nothing to do.

def given($name): .[$name] // empty | tostring | select(. != "");
def count($name; $default; $least):
	(.[$name] // $default) | if . < $least then error("\($name): expected at least \($least), found \(.)") else . end;
# A text that lists things, one a line.
def listed($name): given($name) | splits("\n") | gsub("^\\s+|\\s+$"; "") | select(. != "");
def part($name): "\($name) \(if test("\n") then error("a line break in \(.)") else . end)";
def option($name; $flag): given($name) | $flag, .;
def switch($name; $flag): if .[$name] == true then $flag else empty end;

def script_path: sub("@[0-9]+$"; "");
def script_weight: if test("@[0-9]+$") then . else . + "@1" end;

# "shared_buffers=1GB search_path=a, b": a setting begins at the start or after a blank, and ends before the next.
def settings:
	given("settings") | gsub("^\\s+|\\s+$"; "") | splits("\\s+(?=[A-Za-z_][A-Za-z0-9_.]*\\s*=)")
	| if test("^[A-Za-z_][A-Za-z0-9_.]*\\s*=") then . else error("settings: expected NAME=VALUE, found \(.)") end
	| sub("\\s*=\\s*"; "=") | sub("='(?<value>.*)'$"; "=\(.value)");

# Each trial's server keeps to its own files and answers nobody else, whatever the settings say.
def own_settings:
	"data_directory=\($home)/data", "hba_file=\($home)/data/pg_hba.conf", "ident_file=\($home)/data/pg_ident.conf",
	"external_pid_file=", "unix_socket_directories=\($home)", "port=\($port)", "ssl=off",
	"listen_addresses=" + (if .tcp == true then "127.0.0.1" else "" end),
	"logging_collector=off", "log_destination=stderr";

# A script of the user's own is told the scale; a built-in one counts the branches itself.
def scripts($scale):
	[listed("script")] as $own
	| ($own[] | "-f", script_weight),
	  (if $own == [] then "-b", .builtin // "tpcb-like" else option("builtin"; "-b") end),
	  (if $own == [] or $scale == 0 then empty else "-s", "\($scale)" end);

def session($scale):
	"-n", option("protocol"; "-M"), option("max_tries"; "--max-tries"), switch("connect"; "-C"),
	(listed("variables") | "-D", .), scripts($scale);

count("clients"; 16; 1) as $clients
| count("threads"; 1; 1) as $threads
| count("scale"; 1; 0) as $scale
| count("num_warmup_requests"; $clients; 0) as $warmup
| ($qps | tonumber) as $rate
| (if .num_requests == null and .duration != null then .duration * $rate | round else .num_requests // 100 end) as $asked
| ($asked / $clients | ceil | [., 1] | max) as $each
| "planned \($each * $clients)",
  "threads \($threads)",
  "start_timeout \(.server_startup_timeout // 300)",
  "host \(if .tcp == true then "127.0.0.1" else $home end)",
  (given("bindir") | part("bindir")),
  (given("setup_script") | part("setup"), part("file")),
  (given("conf_file") | part("conf"), part("file")),
  (listed("script") | script_path | part("file")),
  (("--no-sync", "-D", "\($home)/data", "-U", "postgres", "--no-locale", "-E", "UTF8", "-A", "trust",
    "--auth-host=scram-sha-256", "--pwfile=\($home)/password") | part("initdb")),
  ("max_connections=\([$clients + 10, 100] | max)" | part("default")),
  ((("archive_mode=off", settings, own_settings) | "-c", .)
    | part("server")),
  (if $scale == 0 then empty else
    ("-i", "-q", "-s", "\($scale)", option("init_steps"; "-I"), option("fillfactor"; "-F"),
     option("partitions"; "--partitions"), option("partition_method"; "--partition-method"),
     switch("foreign_keys"; "--foreign-keys"), switch("unlogged_tables"; "--unlogged-tables")) | part("init")
   end),
  (if $warmup == 0 then empty else
    (session($scale), "-c", "\($clients)", "-j", "\($threads)", "-t", "\($warmup / $clients | ceil)",
     "--random-seed=\((.seed // 42) + 1)") | part("warmup")
   end),
  ((session($scale), "-c", "\($clients)", "-j", "\($threads)", "-t", "\($each)", "-R", $qps, option("latency_limit_ms"; "-L"),
    "--random-seed=\(.seed // 42)", "--log", "--log-prefix=\($home)/log") | part("measure"))
