package io.dubbomesh.demo.office;

/**
 * All its methods but one are inherited from generic interfaces; it declares one of them again, so that it has a bridge
 * method.
 */
public interface UserService extends KeyedRepository<User, Long, UserQuery> {
    @Override
    User first(UserQuery query);

    User rename(User user, String name);
}
