// A gRPC server of the service demo.records.v1.Records, by grpc-go. Its descriptors come from a file, so that no code is generated: messages are
// read and written by the runtime of protobuf for Go.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	v1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	v1alpha "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

const (
	serviceName = "demo.records.v1.Records"
	// Of a field that no descriptor has.
	unknownField = 1000
)

// records serves the methods of the service.
type records struct {
	record protoreflect.MessageDescriptor
}

func (r records) field(name protoreflect.Name) protoreflect.FieldDescriptor {
	return r.record.Fields().ByName(name)
}

// echo returns the record as it is; with what the server knows of the call where its name asks for that.
func (r records) echo(ctx context.Context, request *dynamicpb.Message) (*dynamicpb.Message, error) {
	switch request.Get(r.field("name")).String() {
	case "unknown field":
		request.SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, unknownField, protowire.VarintType), 7))
	case "deadline":
		deadline, ok := ctx.Deadline()
		if !ok {
			return nil, status.Error(codes.InvalidArgument, "no grpc-timeout")
		}
		request.Set(r.field("int64"), protoreflect.ValueOfInt64(time.Until(deadline).Milliseconds()))
	case "attachment":
		fields, _ := metadata.FromIncomingContext(ctx)
		values := fields.Get("request-id")
		if len(values) != 1 {
			return nil, status.Errorf(codes.InvalidArgument, "%d values of request-id", len(values))
		}
		request.Set(r.field("text"), protoreflect.ValueOfString(values[0]))
	case "never":
		<-ctx.Done()
		log.Print("the caller has given up: ", ctx.Err())
		return nil, ctx.Err()
	}
	return request, nil
}

// fail ends with the status that int32 says, and the name as its text.
func (r records) fail(request *dynamicpb.Message) error {
	return status.Error(codes.Code(request.Get(r.field("int32")).Int()), request.Get(r.field("name")).String())
}

// repeat sends the record as often as int32 says.
func (r records) repeat(request *dynamicpb.Message, stream grpc.ServerStream) error {
	count := request.Get(r.field("int32")).Int()
	for i := int64(0); i < count; i++ {
		answer := proto.Clone(request).(*dynamicpb.Message)
		answer.Set(r.field("int32"), protoreflect.ValueOfInt32(int32(i)))
		if err := stream.SendMsg(answer); err != nil {
			return err
		}
	}
	return nil
}

func (r records) description() *grpc.ServiceDesc {
	unary := func(name string, call func(context.Context, *dynamicpb.Message) (*dynamicpb.Message, error)) grpc.MethodDesc {
		handler := func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			request := dynamicpb.NewMessage(r.record)
			if err := decode(request); err != nil {
				return nil, err
			}
			return call(ctx, request)
		}
		return grpc.MethodDesc{MethodName: name, Handler: handler}
	}
	return &grpc.ServiceDesc{
		ServiceName: serviceName,
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{
			unary("Echo", r.echo),
			unary("Fail", func(_ context.Context, request *dynamicpb.Message) (*dynamicpb.Message, error) {
				return nil, r.fail(request)
			}),
		},
		Streams: []grpc.StreamDesc{{
			StreamName:    "Repeat",
			ServerStreams: true,
			Handler: func(_ any, stream grpc.ServerStream) error {
				request := dynamicpb.NewMessage(r.record)
				if err := stream.RecvMsg(request); err != nil {
					return err
				}
				return r.repeat(request, stream)
			},
		}},
	}
}

func read(path string) (*protoregistry.Files, error) {
	bytes, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(bytes, &set); err != nil {
		return nil, err
	}
	return protodesc.NewFiles(&set)
}

func main() {
	port := flag.Int("port", 0, "the port on the loopback address")
	path := flag.String("descriptors", "", "the file of descriptors")
	reflected := flag.String("reflection", "none", "server reflection: none, v1 or v1alpha")
	flag.Parse()
	files, err := read(*path)
	if err != nil {
		log.Fatal(err)
	}
	record, err := files.FindDescriptorByName("demo.records.v1.Record")
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	server.RegisterService(records{record.(protoreflect.MessageDescriptor)}.description(), struct{}{})
	options := reflection.ServerOptions{Services: server, DescriptorResolver: files}
	switch *reflected {
	case "v1":
		v1.RegisterServerReflectionServer(server, reflection.NewServerV1(options))
	case "v1alpha":
		v1alpha.RegisterServerReflectionServer(server, reflection.NewServer(options))
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("grpc-go %s: listening on %s", grpc.Version, listener.Addr())
	log.Fatal(server.Serve(listener))
}
