# Installs the build tree into a fresh prefix and uses it the two ways a user would. Run by ctest (see CMakeLists.txt).
cmake_minimum_required(VERSION 3.22)

function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(NOT code EQUAL 0)
        list(JOIN ARGV " " command)
        message(FATAL_ERROR "${command}\nfailed (${code}):\n${out}")
    endif()
    set(output "${out}" PARENT_SCOPE)
endfunction()

set(flags "")
if(SANITIZE)
    set(flags "-fsanitize=${SANITIZE}")
endif()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
# Moved after installing: nothing in the package may remember where it was put.
file(RENAME ${WORK_DIR}/prefix ${WORK_DIR}/moved)
set(prefix ${WORK_DIR}/moved)

run(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/cmake -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${flags}
    -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/cmake)
run(${WORK_DIR}/cmake/consumer)
message(STATUS "find_package: ${output}")

file(GLOB_RECURSE pc ${prefix}/postern.pc)
cmake_path(GET pc PARENT_PATH pc_dir)
find_program(PKG_CONFIG pkg-config REQUIRED)
run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_dir} ${PKG_CONFIG} --static --cflags --libs postern)
separate_arguments(pc_flags UNIX_COMMAND "${output}")
run(${CXX} -std=c++20 ${flags} ${CONSUMER_DIR}/main.cpp -o ${WORK_DIR}/consumer_pc ${pc_flags})
run(${WORK_DIR}/consumer_pc)
message(STATUS "pkg-config: ${output}")
