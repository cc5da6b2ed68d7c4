// SPDX-License-Identifier: Apache-2.0
//
// A libcuda.so.1 without a GPU behind it, as the real one is opened: by name. FAKE_CUINIT is what cuInit answers,
// FAKE_DEVICES how many devices there are.
#include <cstdlib>
#include <cstring>

namespace {

int number(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

int say(char* to, int size, const char* text) {
  std::strncpy(to, text, static_cast<std::size_t>(size) - 1);
  to[size - 1] = '\0';
  return 0;
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
  return number("FAKE_CUINIT", 0);
}
int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = number("FAKE_DEVICES", 1);
  return 0;
}
int cuDeviceGetName(char* name, int size, int) {
  return say(name, size, "NVIDIA Pretend H100");
}
int cuDeviceGetPCIBusId(char* id, int size, int) {
  return say(id, size, "0000:01:00.0");
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = nullptr;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  return 0;
}
int cuCtxPushCurrent_v2(void*) {
  return 0;
}
int cuCtxPopCurrent_v2(void**) {
  return 0;
}

}  // extern "C"
