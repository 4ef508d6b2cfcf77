/** Tables, and rates that are computed from the metrics of an agent. */
package io.dubbomesh.meshctl.output;
