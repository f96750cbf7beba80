/* The least a program can do for viewers: one epoll loop, one frame, one send to each. For each byte on its input it sends
   a frame to everybody; whoever sends a request is answered as if it were a handshake. Usage: limit BYTES. Prints the
   port it listens on. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 65536, TURN = 256, BACKLOG = 4096 };

static const char ANSWER[] = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
                             "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
static int viewers[MOST], count;

static void add(int loop, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event)) exit(1);
}

static void let_in(int loop, int listener) {
    int on = 1, fd;
    while ((fd = accept4(listener, 0, 0, SOCK_NONBLOCK)) >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        add(loop, fd);
        if (count < MOST) viewers[count++] = fd;
    }
}

static void listen_to(int fd) {
    char said[4096];
    ssize_t got = read(fd, said, sizeof said);
    if (got > 0 && memmem(said, got, "\r\n\r\n", 4) && write(fd, ANSWER, sizeof ANSWER - 1) < 0) got = 0;
    if (got > 0 || (got < 0 && errno == EAGAIN)) return;
    for (int i = 0; i < count; i++)
        if (viewers[i] == fd) viewers[i] = viewers[--count];
    close(fd);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int size = atoi(argv[1]);
    unsigned char *frame = calloc(1, size + 4);
    frame[0] = 0x82;
    if (size < 128) frame[1] = size - 2;
    else frame[1] = 126, frame[2] = (size - 4) >> 8, frame[3] = (size - 4) & 255;
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), loop = epoll_create1(0);
    if (!frame || bind(listener, (void *)&address, length) || listen(listener, BACKLOG)) return 1;
    getsockname(listener, (void *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    add(loop, listener);
    add(loop, 0);

    struct epoll_event ready[TURN];
    for (;;) {
        int many = epoll_wait(loop, ready, TURN, -1);
        for (int i = 0; i < many; i++) {
            int fd = ready[i].data.fd;
            char order;
            if (fd == listener) {
                let_in(loop, listener);
            } else if (fd != 0) {
                listen_to(fd);
            } else {
                if (read(0, &order, 1) <= 0) return 0;
                for (int v = 0; v < count; v++)
                    if (send(viewers[v], frame, size, MSG_NOSIGNAL) < 0 && errno != EAGAIN) continue;
            }
        }
    }
}
