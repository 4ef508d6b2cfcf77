/** Judging endpoints by how calls end: ejection, probes, slow start. Pure decisions; time is passed in. */
package io.dubbomesh.consumer.health;
