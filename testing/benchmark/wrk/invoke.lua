-- wrk script: GET as the command line says it, and at the end a line RESULT as form.lua's. It has no request() and no response(), so that
-- wrk does not call it for each request.
function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    "RESULT requests=%d duration_us=%d mean_us=%d p50_us=%d p90_us=%d p99_us=%d max_us=%d "
      .. "socket_errors=%d timeouts=%d bad_statuses=%d",
    summary.requests, summary.duration, latency.mean,
    latency:percentile(50), latency:percentile(90), latency:percentile(99), latency.max,
    errors.connect + errors.read + errors.write, errors.timeout, errors.status))
end
