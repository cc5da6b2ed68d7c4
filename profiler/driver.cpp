// SPDX-License-Identifier: Apache-2.0
#include "profiler/driver.h"

#include <dlfcn.h>

#include <array>

namespace binade::profiler {

namespace {

/// The driver API's functions with plain C types, so that no CUDA header is needed.
struct Functions {
  int (*init)(unsigned) = nullptr;
  int (*version)(int*) = nullptr;
  int (*count)(int*) = nullptr;
  int (*name)(char*, int, int) = nullptr;
  int (*bus_id)(char*, int, int) = nullptr;
  int (*retain)(void**, int) = nullptr;
  int (*release)(int) = nullptr;
  int (*push_current)(void*) = nullptr;
  int (*pop_current)(void**) = nullptr;

  template <class Function>
  static bool find(void* library, const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
    return function != nullptr;
  }

  bool load(void* library) {
    return find(library, "cuInit", init) && find(library, "cuDriverGetVersion", version) &&
           find(library, "cuDeviceGetCount", count) && find(library, "cuDeviceGetName", name) &&
           find(library, "cuDeviceGetPCIBusId", bus_id) && find(library, "cuDevicePrimaryCtxRetain", retain) &&
           find(library, "cuDevicePrimaryCtxRelease_v2", release) &&
           find(library, "cuCtxPushCurrent_v2", push_current) && find(library, "cuCtxPopCurrent_v2", pop_current);
  }
};

class LoadedDriver : public Driver {
 public:
  explicit LoadedDriver(const Functions& functions) : functions_(functions) {}

  int init() override { return functions_.init(0); }
  int version(int& version) override { return functions_.version(&version); }
  int device_count(int& count) override { return functions_.count(&count); }
  int device_name(int device, std::string& name) override { return text(functions_.name, device, name); }
  int pci_bus_id(int device, std::string& id) override { return text(functions_.bus_id, device, id); }
  // CUdevice equals the ordinal in every driver; cuDeviceGet only returns it.
  int use_primary_context(int device) override {
    void* context = nullptr;
    if (const int result = functions_.retain(&context, device); result != 0) return result;
    const int result = functions_.push_current(context);
    if (result != 0) functions_.release(device);
    return result;
  }
  // Popped rather than set to null, so that a training thread continues in its previous context.
  void release_primary_context(int device) override {
    void* context = nullptr;
    functions_.pop_current(&context);
    functions_.release(device);
  }

 private:
  static int text(int (*ask)(char*, int, int), int device, std::string& answer) {
    std::array<char, 256> told{};
    const int result = ask(told.data(), static_cast<int>(told.size()), device);
    if (result == 0) answer = told.data();
    return result;
  }

  Functions functions_;
};

}  // namespace

std::unique_ptr<Driver> open_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);  // never closed: LibTorch uses the same library
  Functions functions;
  if (library == nullptr || !functions.load(library)) return nullptr;
  return std::make_unique<LoadedDriver>(functions);
}

Status look_at_device(Driver* driver, int device) {
  if (driver == nullptr) return status(Code::kNoDriver);
  if (const int result = driver->init(); result != 0) return from_cuinit(result);
  int count = 0;
  if (driver->device_count(count) != 0 || count <= device) return status(Code::kNoDevice);
  return status(Code::kAvailable);
}

}  // namespace binade::profiler
