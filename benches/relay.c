/* The least a program can do between a board and ten screens: reads five bytes from a terminal, writes a frame to ten
   sockets. Usage: relay TERMINAL BYTES. Prints the port it listens on. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { SCREENS = 10, UPDATE = 5 };

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int size = atoi(argv[2]), on = 1, screens[SCREENS];
    char *frame = calloc(1, size);
    struct termios raw;
    int port = open(argv[1], O_RDWR | O_NOCTTY);
    if (!frame || port < 0 || tcgetattr(port, &raw)) return 1;
    cfmakeraw(&raw);
    tcsetattr(port, TCSANOW, &raw);

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (void *)&address, length) || listen(listener, SCREENS)) return 1;
    getsockname(listener, (void *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (int i = 0; i < SCREENS; i++) {
        screens[i] = accept(listener, 0, 0);
        setsockopt(screens[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }

    char heard[64];
    int count = 0;
    for (;;) {
        int got = read(port, heard, sizeof heard);
        if (got <= 0) return 0;
        count += got;
        if (count < UPDATE) continue;
        count = 0;
        for (int i = 0; i < SCREENS; i++)
            if (write(screens[i], frame, size) != size) return 0;
    }
}
