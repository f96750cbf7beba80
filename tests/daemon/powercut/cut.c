/* Cuts the power of an ext4 file system: cut MOUNTPOINT. Nothing that is not on the device reaches it any more. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

#define SHUTDOWN _IOR('X', 125, uint32_t)
#define WITHOUT_FLUSHING_THE_LOG 2

int main(int count, char **words) {
    uint32_t how = WITHOUT_FLUSHING_THE_LOG;
    int folder = count == 2 ? open(words[1], O_RDONLY | O_DIRECTORY) : -1;
    if (folder < 0 || ioctl(folder, SHUTDOWN, &how) != 0) {
        perror("cut");
        return 1;
    }
    return 0;
}
