/**
 * A client of etcd's API, version 3: the calls that agents make, in gRPC over one connection of HTTP/2 to one member.
 * Messages are written and read by hand, with the numbers of fields of
 * <a href="https://github.com/etcd-io/etcd/blob/main/api/etcdserverpb/rpc.proto">rpc.proto</a> and
 * <a href="https://github.com/etcd-io/etcd/blob/main/api/mvccpb/kv.proto">kv.proto</a> (since etcd 3.4 in all that is
 * used here); fields that are not used are skipped.
 */
package io.dubbomesh.registry.etcd.client;
