/** Shows samples to Prometheus, with its Java client, which nothing else uses. */
package io.dubbomesh.runtime.prometheus;
