/* What Rust's standard library wants of bcryptprimitives.dll, which Wine has from version 9 on: random bytes. */

#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length)
{
    return RtlGenRandom(bytes, (ULONG)length);
}
