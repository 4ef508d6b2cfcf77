-- wrk script: the form request of hash(String), its parameter 0 to 1,023 characters long or of SIZE characters, from a pool made
-- before the start.
-- Without CHECK nothing is done per answer, since a response() slows wrk down: only statuses are counted.
-- With CHECK=1 every answer is compared with the hash computed here. That needs one connection per thread (-t N -c N): wrk does not
-- say which connection an answer came on, but with one connection the answers come in the order of the requests.
-- With ANSWER set, that text is expected instead of the hash.
-- With DEPTH=N each connection sends N requests at once and the next N when all are answered; 1, 16 and 256 are usual. max_us is then
-- the time until the last of N answers, and the percentiles are -1: wrk corrects them as if each request had been waited for.
-- With DELAY=FROM-TO each connection waits so many milliseconds, at random, before each request.
-- With TOKEN set, each request has it as its bearer token.
-- The last lines of the output are for bench.sh: RESULT and key=value pairs, CURVE and percentile:microseconds pairs.

local LENGTHS = 1024
local POOL = 512
local MAX_POOL_BYTES = 2 * 1024 * 1024
local PERCENTILES = { 0, 10, 20, 30, 40, 50, 60, 70, 80, 85, 90, 92.5, 95, 97.5, 99, 99.25, 99.5, 99.75, 99.9, 99.95, 99.99, 99.999, 100 }
local SEED = 20180601
local CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
local FIELDS = "interface=com.alibaba.dubbo.performance.demo.provider.IHelloService&method=hash"
  .. "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter="

local check = os.getenv("CHECK") == "1"
local size = tonumber(os.getenv("SIZE"))
local fixed_answer = os.getenv("ANSWER")
local headers = { ["Content-Type"] = "application/x-www-form-urlencoded" }
if os.getenv("TOKEN") then
  headers["Authorization"] = "Bearer " .. os.getenv("TOKEN")
end
local depth = tonumber(os.getenv("DEPTH") or "1")
if not depth or depth < 1 or POOL % depth ~= 0 then
  -- wrk would go on without the script after an error().
  io.stderr:write(string.format("DEPTH: %s (expected: a divisor of %d)\n", os.getenv("DEPTH"), POOL))
  os.exit(1)
end
local shortest_delay, longest_delay = (os.getenv("DELAY") or ""):match("^(%d+)-(%d+)$")
local threads = {}

if shortest_delay then
  function delay()
    return math.random(tonumber(shortest_delay), tonumber(longest_delay))
  end
end

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

-- Java's String.hashCode() as decimal text; a double holds 31 * 2^32 exactly.
local function java_hash(text)
  local hash = 0
  for i = 1, #text do
    hash = (hash * 31 + text:byte(i)) % 4294967296
  end
  if hash >= 2147483648 then
    hash = hash - 4294967296
  end
  return string.format("%d", hash)
end

-- A batch is what one write sends.
local batches, answers, batch, answered = {}, {}, 0, 0
checked, wrong = 0, 0

local function random_text(length)
  local chars = {}
  for i = 1, length do
    local c = math.random(#CHARS)
    chars[i] = CHARS:sub(c, c)
  end
  return table.concat(chars)
end

local function parameter(i)
  if size then
    -- A long one repeats a short one, since a random megabyte takes long to make.
    return random_text(math.min(size, LENGTHS)):rep(math.ceil(size / LENGTHS)):sub(1, size)
  end
  -- The first of each pool is the empty text, which a short round would otherwise hardly meet.
  return i == 1 and "" or random_text(math.random(0, LENGTHS - 1))
end

function init()
  math.randomseed(SEED + (number or 0))
  local requests = {}
  local pool = size and math.max(1, math.min(POOL / depth, math.floor(MAX_POOL_BYTES / size / depth))) * depth or POOL
  for i = 1, pool do
    local text = parameter(i)
    requests[i] = wrk.format("POST", "/", headers, FIELDS .. text)
    answers[i] = fixed_answer or java_hash(text)
  end
  for i = 1, pool / depth do
    batches[i] = table.concat(requests, "", (i - 1) * depth + 1, i * depth)
  end
end

function request()
  batch = batch % #batches + 1
  answered = (batch - 1) * depth
  return batches[batch]
end

if check then
  function response(status, _, body)
    checked = checked + 1
    answered = answered + 1
    if status ~= 200 or body ~= answers[answered] then
      wrong = wrong + 1
      if wrong == 1 then
        print(string.format(
          "WRONG status %d, answer %q (expected: 200, %q)", status, body:sub(1, 200), answers[answered]))
      end
    end
  end
end

local function percentile(latency, p)
  return depth == 1 and latency:percentile(p) or -1
end

function done(summary, latency)
  local all_checked, all_wrong = 0, 0
  for _, thread in ipairs(threads) do
    all_checked = all_checked + (thread:get("checked") or 0)
    all_wrong = all_wrong + (thread:get("wrong") or 0)
  end
  local errors = summary.errors
  print(string.format(
    "RESULT requests=%d duration_us=%d mean_us=%d p50_us=%d p90_us=%d p99_us=%d max_us=%d "
      .. "socket_errors=%d timeouts=%d bad_statuses=%d checked=%d wrong=%d",
    summary.requests, summary.duration, depth == 1 and latency.mean or -1,
    percentile(latency, 50), percentile(latency, 90), percentile(latency, 99), latency.max,
    errors.connect + errors.read + errors.write, errors.timeout, errors.status, all_checked, all_wrong))
  if depth > 1 then
    return
  end
  local curve = {}
  for i, percentile in ipairs(PERCENTILES) do
    local us = percentile == 0 and latency.min or percentile == 100 and latency.max or latency:percentile(percentile)
    curve[i] = string.format("%s:%d", percentile, us)
  end
  print("CURVE " .. table.concat(curve, " "))
end
