/** The HTTP/1.1 codec: requests are read in place, responses are written. It knows neither calls nor connections. */
package io.dubbomesh.consumer.http;
